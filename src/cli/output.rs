//! What a command prints: JSON as it came, or the same for people.
//!
//! Duty: lay out data on standard output. It never decides what is shown.

use std::io::{self, Write};

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use futures_util::StreamExt;
use serde_json::Value;

use super::api_client::ApiClient;
use super::failure::{Failure, Result};

/// Fields of an envelope that say nothing beyond the exit code.
const ENVELOPE: &[&str] = &["status", "code", "message", "timestamp"];

/// The widest that a cell of a table may be, in characters; longer ones end in an ellipsis.
pub const CELL_WIDTH_MAX: usize = 60;

/// Prints one text and a line end. A closed pipe is not a failure.
pub fn print(text: &str) -> Result<()> {
    write(format!("{}\n", text.trim_end_matches('\n')).as_bytes()).map(drop)
}

/// Prints bytes as they are; `false` when the pipe is closed.
pub fn write(bytes: &[u8]) -> Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::of("standard output", error)),
    }
}

/// Prints a file of the service as it comes.
pub async fn download(client: &ApiClient, path: &str) -> Result<()> {
    let mut file = Box::pin(client.download(path).await?);
    while let Some(piece) = file.next().await {
        if !write(&piece?)? {
            break;
        }
    }
    Ok(())
}

/// Prints data: as it is, or readable.
pub fn show(data: &Value, as_json: bool) -> Result<()> {
    either(data, &readable(data), as_json)
}

/// Prints `data`, or the text that says the same.
pub fn either(data: &Value, text: &str, as_json: bool) -> Result<()> {
    print(&if as_json { data.to_string() } else { text.to_owned() })
}

/// How much of a table is shown.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The columns, in their order, as far as they are there; none are all.
    columns: &'static [&'static str],
    /// How many characters a line has; `None` where nobody has to read it in a window.
    width: Option<usize>,
}

impl Layout {
    /// Every column.
    pub const WIDE: Self = Self { columns: &[], width: None };

    /// These columns, as many of them as the terminal has room for.
    pub fn of_terminal(columns: &'static [&'static str]) -> Self {
        let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
        Self { columns, width }
    }
}

/// The answer of the operator API for people: its `data`, and what else stands beside it.
pub fn readable(answer: &Value) -> String {
    laid_out(answer, &Layout::WIDE)
}

/// The same in a layout.
pub fn laid_out(answer: &Value, layout: &Layout) -> String {
    let Value::Object(fields) = answer else { return cell(answer) };
    let beside: serde_json::Map<String, Value> = fields
        .iter()
        .filter(|(name, value)| *name != "data" && !ENVELOPE.contains(&name.as_str()) && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let beside = (!beside.is_empty()).then(|| block(&Value::Object(beside), layout));
    let data = fields.get("data").map(|data| block(data, layout));
    let parts = data.into_iter().chain(beside).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { fields.get("message").map(cell).unwrap_or_default() } else { parts.join("\n\n") }
}

/// Objects become lines, lists of objects a table.
fn block(value: &Value, layout: &Layout) -> String {
    match value {
        Value::Array(rows) if rows.is_empty() => "none".to_owned(),
        Value::Array(rows) if rows.iter().all(Value::is_object) => table(rows, layout),
        Value::Array(rows) => rows.iter().map(cell).collect::<Vec<_>>().join("\n"),
        Value::Object(_) => lines(value, layout),
        _ => cell(value),
    }
}

fn lines(value: &Value, layout: &Layout) -> String {
    let mut flat = Vec::new();
    let mut lists = Vec::new();
    flatten("", value, &mut flat, &mut lists);
    let fields = columns(flat.into_iter().map(|(name, text)| vec![name, text]));
    // The columns of a layout are those of the list that is asked for, and of no other.
    let layout = Layout { columns: &[], ..*layout };
    let tables = lists.iter().map(|(name, rows)| format!("{name}:\n{}", block(rows, &layout)));
    std::iter::once(fields).filter(|text| !text.is_empty()).chain(tables).collect::<Vec<_>>().join("\n\n")
}

/// Nested objects become dotted names; lists of objects are laid out after the rest.
fn flatten<'a>(path: &str, value: &'a Value, flat: &mut Vec<(String, String)>, lists: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, inner) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, inner, flat, lists);
            }
        }
        Value::Array(rows) if rows.iter().any(Value::is_object) => lists.push((path.to_owned(), value)),
        _ => flat.push((path.to_owned(), cell(value))),
    }
}

fn table(rows: &[Value], layout: &Layout) -> String {
    let cells = rows.iter().map(|row| {
        let (mut flat, mut lists) = (Vec::new(), Vec::new());
        flatten("", row, &mut flat, &mut lists);
        flat.extend(lists.into_iter().map(|(name, list)| (name, list.to_string())));
        flat
    });
    let cells: Vec<Vec<(String, String)>> = cells.collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in cells.iter().flatten() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort_by_key(|name| rank(name));
    if !layout.columns.is_empty() {
        names = layout.columns.iter().copied().filter(|name| names.contains(name)).collect();
    }
    let text_of = |row: &[(String, String)], name: &str| {
        row.iter().find(|(other, _)| other == name).map(|(_, text)| cut(text, CELL_WIDTH_MAX)).unwrap_or_default()
    };
    let head = names.iter().map(|name| (*name).to_owned()).collect();
    let body = cells.iter().map(|row| names.iter().map(|name| text_of(row, name)).collect());
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(body).collect();
    let fitting = layout.width.map_or(names.len(), |width| fitting(&rows, width));
    let shown = columns(rows.iter().map(|row| row[..fitting].to_vec()));
    match names.get(fitting..).unwrap_or_default() {
        [] => shown,
        left_out => format!("{shown}\n\nwith --wide also: {}", left_out.join(", ")),
    }
}

/// How many columns of these rows stand side by side within a width; one always does.
fn fitting(rows: &[Vec<String>], width: usize) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let width_of = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let ends = (0..columns).scan(0, |end, column| {
        *end += width_of(column) + 2;
        Some(*end)
    });
    ends.take_while(|end| *end <= width + 2).count().max(1)
}

/// Lays rows out in columns, two blanks apart.
pub fn columns(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

/// Identifiers come first, then the name, then the rest as it comes.
fn rank(name: &str) -> u8 {
    match name {
        "id" => 0,
        "name" => 2,
        _ if name.ends_with("_id") && !name.contains('.') => 1,
        _ => 3,
    }
}

/// `text`, or as much of it as fits into so many characters.
pub fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    text.chars().take(chars_max - 1).chain(['…']).collect()
}

/// One value on one line.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, laid_out, readable};
    use serde_json::json;

    #[test]
    fn an_object_becomes_lines_and_a_nested_list_a_table_below_them() {
        let answer = json!({
            "status": "success", "code": 200, "message": "ok", "timestamp": "now",
            "data": {"name": "Acme", "limits": {"per_second": 10}, "keys": [{"key_id": "k1"}], "ends_at": null},
        });
        assert_eq!(
            readable(&answer),
            "ends_at            -\nlimits.per_second  10\nname               Acme\n\nkeys:\nkey_id\nk1"
        );
    }

    #[test]
    fn a_list_becomes_a_table_with_the_paging_below() {
        let answer = json!({
            "status": "success", "code": 200, "data": [{"a": 1, "b": "x y"}, {"a": 1000, "c": true}],
            "has_more": true, "next_cursor": "abc",
        });
        assert_eq!(
            readable(&answer),
            "a     b    c\n1     x y\n1000       true\n\nhas_more     true\nnext_cursor  abc"
        );
    }

    #[test]
    fn an_answer_without_data_is_its_message() {
        assert_eq!(readable(&json!({"status": "success", "code": 200, "message": "revoked"})), "revoked");
        assert_eq!(readable(&json!({"data": [], "message": "ok"})), "none");
    }

    #[test]
    fn a_table_has_its_columns_in_order_and_no_more_than_fit() {
        let answer = json!({"data": [{"a": "1234567890", "b": {"c": true}, "d": "x"}]});
        let shown = |columns, width| laid_out(&answer, &Layout { columns, width });
        assert_eq!(shown(&["d", "none", "b.c"], None), "d  b.c\nx  true");
        assert_eq!(shown(&[], Some(16)), "a           b.c\n1234567890  true\n\nwith --wide also: d");
        assert_eq!(shown(&[], Some(5)), "a\n1234567890\n\nwith --wide also: b.c, d");
    }

    #[test]
    fn identifiers_are_the_first_columns() {
        let answer = json!({"data": [{"kind": "x", "name": "n", "account_id": "a"}]});
        assert_eq!(readable(&answer), "account_id  name  kind\na           n     x");
    }
}
