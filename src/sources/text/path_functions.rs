//! `match` and `search` of JSONPath (RFC 9535, 2.4.6 and 2.4.7), in the place of those of the library, which compile the
//! expression again for each item that they look at: ten thousand short items took seconds.
//!
//! Duty: the two functions, with their expressions at hand. They are found by their names where paths are read.

use std::cell::RefCell;
use std::collections::HashMap;

use regex::Regex;
use serde_json::Value;
use serde_json_path::functions::{LogicalType, ValueType};

/// Expressions that a thread keeps; a source file has a few, but one may stand in what strangers write.
const EXPRESSIONS_MAX: usize = 64;

thread_local! {
    static EXPRESSIONS: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
}

/// Whether all of a text fits the expression.
#[serde_json_path::function(name = "match")]
fn match_whole(text: ValueType, expression: ValueType) -> LogicalType {
    fits(text.as_value(), expression.as_value(), |expression| format!("(?R)^({expression})$"))
}

/// Whether a part of a text fits the expression.
#[serde_json_path::function(name = "search")]
fn search_part(text: ValueType, expression: ValueType) -> LogicalType {
    fits(text.as_value(), expression.as_value(), |expression| format!("(?R)({expression})"))
}

fn fits(text: Option<&Value>, expression: Option<&Value>, whole: impl Fn(&str) -> String) -> LogicalType {
    let (Some(Value::String(text)), Some(Value::String(expression))) = (text, expression) else {
        return LogicalType::False;
    };
    EXPRESSIONS.with_borrow_mut(|known| {
        let written = whole(expression);
        if known.len() >= EXPRESSIONS_MAX && !known.contains_key(&written) {
            known.clear();
        }
        // What is no expression fits nothing.
        let compiled = known.entry(written).or_insert_with_key(|written| Regex::new(written).ok());
        compiled.as_ref().is_some_and(|compiled| compiled.is_match(text)).into()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use serde_json_path::JsonPath;

    fn found(path: &str, value: &Value) -> Vec<Value> {
        JsonPath::parse(path).unwrap().query(value).all().into_iter().cloned().collect()
    }

    #[test]
    fn expressions_fit_a_part_or_all_of_a_text() {
        let value = json!(["ab", "xab", "b", 7, {"a": "ab"}, "(", "a\nb"]);
        assert_eq!(found("$[?match(@, 'a?b')]", &value), [json!("ab"), json!("b")]);
        assert_eq!(found("$[?search(@, 'a.*b')]", &value), [json!("ab"), json!("xab")]);
        assert_eq!(found("$[?match(@.a, 'ab|c')]", &value), [json!({"a": "ab"})]);
        assert!(found("$[?search(@, '(') || match(@, '[')]", &value).is_empty(), "what is no expression");
    }

    #[test]
    fn an_expression_is_compiled_once_for_all_items() {
        let items = |count: usize| json!(vec![json!({"a": "x"}); count]);
        let path = JsonPath::parse("$[?search(@.a, 'Item 5[.]02')]").unwrap();
        let taken = |value: &Value| allocation_counter::measure(|| assert!(path.query(value).is_empty())).bytes_total;
        let (few, many) = (items(10), items(1_000));
        taken(&few);
        assert!(taken(&many) < 1_000 * 1_024, "{} bytes for a thousand items", taken(&many));
    }

    #[test]
    fn expressions_that_strangers_write_are_not_all_kept() {
        let items: Vec<Value> = (0..1_000).map(|number| json!({"a": "x5x", "b": format!("x{number}x")})).collect();
        assert_eq!(found("$[?search(@.a, @.b)].b", &json!(items)), [json!("x5x")]);
        super::EXPRESSIONS.with_borrow(|known| assert!(known.len() <= super::EXPRESSIONS_MAX));
    }
}
