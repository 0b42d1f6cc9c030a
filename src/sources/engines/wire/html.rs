//! Rows of a web page, by selectors: each column of a row is the list of the texts or attributes that it selects.

use serde_json::{Map, Value};

use super::WireError;
use crate::bounds::{ITEMS_MAX, JSON_MEMORY_MAX, SELECTOR_STEPS_ANYWAY, SELECTOR_STEPS_MAX, SELECTOR_STEPS_PER_BYTE};
use crate::extraction::json::{OBJECT_BYTES, VALUE_BYTES};
use crate::extraction::selectors::{Selection, Selector};
use crate::extraction::tree::Tree;
use crate::format::wire_format::{Column, HtmlRows};
use crate::text::plain::one_line;
use crate::text::read_from_text;

/// Values of one column of one row.
const VALUES_MAX: usize = 100;

/// The rows of `page`; `None` if they take too much.
pub fn rows(page: &str, rows: &HtmlRows) -> Option<Value> {
    let tree = Tree::read(page)?;
    let steps = SELECTOR_STEPS_MAX.min(SELECTOR_STEPS_ANYWAY + page.len().saturating_mul(SELECTOR_STEPS_PER_BYTE));
    let mut left = Left { steps, memory: JSON_MEMORY_MAX };
    let selected = rows.rows.on(&tree).select(None, &mut left.steps)?;
    let columns: Vec<(&String, &Column, Option<Selection<'_>>)> = rows
        .columns
        .iter()
        .map(|(name, column)| (name, column, column.selector.as_ref().map(|selector| selector.on(&tree))))
        .collect();
    let read = selected.into_iter().take(ITEMS_MAX).map(|index| {
        left.pay(OBJECT_BYTES)?;
        let columns = columns.iter().map(|(name, column, selection)| {
            let elements = match selection {
                Some(selection) => selection.select(Some(index), &mut left.steps)?,
                None => vec![index],
            };
            let values = values(&tree, elements, column.attribute.as_deref(), &mut left)?;
            Some(((*name).clone(), Value::Array(values)))
        });
        columns.collect::<Option<Map<String, Value>>>().map(Value::Object)
    });
    read.collect::<Option<Vec<Value>>>().map(Value::Array)
}

/// What stands in the first element that `selector` selects; `None` if there is no such element.
pub fn script(page: &str, selector: &Selector) -> Result<Option<String>, WireError> {
    let tree = Tree::read(page).ok_or(WireError::TooLarge)?;
    let selected = selector.on(&tree).select(None, &mut SELECTOR_STEPS_MAX.clone()).ok_or(WireError::TooLarge)?;
    Ok(selected.first().map(|index| tree.raw_text(*index).trim().to_owned()))
}

/// What the rows of a page may still take.
struct Left {
    steps: usize,
    /// In bytes.
    memory: usize,
}

impl Left {
    fn pay(&mut self, bytes: usize) -> Option<()> {
        self.memory = self.memory.checked_sub(bytes)?;
        Some(())
    }
}

/// The texts or attributes of `elements`, which a column of a row selects.
fn values(tree: &Tree, elements: Vec<usize>, attribute: Option<&str>, left: &mut Left) -> Option<Vec<Value>> {
    left.pay(VALUE_BYTES)?;
    let mut values = Vec::new();
    for index in elements.into_iter().take(VALUES_MAX) {
        let text = match attribute {
            Some(name) => tree.element(index)?.attribute(name),
            None => Some(tree.raw_text(index)),
        };
        // Nested rows hold the same elements, and nested elements the same text, again and again.
        let bytes = text.map_or(0, str::len);
        left.steps = left.steps.checked_sub(bytes)?;
        left.pay(VALUE_BYTES + bytes)?;
        let value = text.map(|text| if attribute.is_some() { text.trim().to_owned() } else { one_line(text) });
        values.extend(value.map(Value::String));
    }
    Some(values)
}

read_from_text!(Column, column);

fn column(text: &str) -> Result<Column, String> {
    let (selector, attribute) = match text.rsplit_once('@') {
        Some((selector, attribute)) => (selector.trim(), Some(attribute.trim().to_ascii_lowercase())),
        None => (text.trim(), None),
    };
    let selector = (!selector.is_empty()).then(|| Selector::parse(selector)).transpose()?;
    Ok(Column { selector, attribute })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{rows, script};
    use crate::extraction::selectors::Selector;
    use crate::format::wire_format::HtmlRows;

    #[test]
    fn rows_have_the_columns_that_are_asked_for() {
        let table = "rows = \"li\"\ncolumns = { title = \"a\", href = \"a@href\", id = \"@data-id\", tags = \".tag\" }";
        let table: HtmlRows = toml::from_str(table).unwrap();
        let page =
            "<ul><li data-id=7><a href='/1'>One <b>job</b></a><i class=tag>a</i><i class=tag>b</i></li><li></li></ul>";
        let wanted = json!([{"title": ["One job"], "href": ["/1"], "id": ["7"], "tags": ["a", "b"]}, {"title": [], "href": [], "id": [], "tags": []}]);
        assert_eq!(rows(page, &table).unwrap(), wanted);
    }

    #[test]
    fn selectors_of_many_nested_rows_end_in_time() {
        let table: HtmlRows = toml::from_str("rows = \"div\"\ncolumns = { x = \"div div\" }").unwrap();
        assert_eq!(rows(&"<div>".repeat(100_000), &table), None);
        // A short page may take no longer for its length.
        assert_eq!(rows(&"<div>".repeat(2_000), &table), None);
        assert!(rows(&"<div><div><div>x</div></div></div>".repeat(2_000), &table).is_some());
    }

    #[test]
    fn json_in_a_page_is_found() {
        let page = "<script id=data type='application/json'>{\"a\":\"<b>\"}</script>";
        assert_eq!(script(page, &Selector::parse("script#data").unwrap()).unwrap().as_deref(), Some("{\"a\":\"<b>\"}"));
        assert_eq!(script(page, &Selector::parse("script#none").unwrap()).unwrap(), None);
    }
}
