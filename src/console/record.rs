//! An answer of an API, as templates read it.

use serde_json::Value;

/// A JSON value. Keys are named by their path, with dots between; the empty path is the value itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record(pub(crate) Value);

impl Record {
    fn at(&self, path: &str) -> &Value {
        if path.is_empty() {
            return &self.0;
        }
        self.0.pointer(&format!("/{}", path.replace('.', "/"))).unwrap_or(&Value::Null)
    }

    /// The value as a text; empty where there is none.
    pub(crate) fn text(&self, path: &str) -> String {
        text_of(self.at(path))
    }

    /// An instant, to the second.
    pub(crate) fn instant(&self, path: &str) -> String {
        let text = self.text(path);
        text.get(..19).map_or_else(|| text.clone(), |text| text.replace('T', " "))
    }

    /// A word of the API, such as `company_reviews`, as people write it.
    pub(crate) fn words(&self, path: &str) -> String {
        self.text(path).replace('_', " ")
    }

    /// Whether there is a value that says something.
    pub(crate) fn has(&self, path: &str) -> bool {
        match self.at(path) {
            Value::Null | Value::Bool(false) => false,
            Value::Array(values) => !values.is_empty(),
            Value::Number(number) => number.as_f64() != Some(0.0),
            _ => true,
        }
    }

    /// Whether the value is this text.
    pub(crate) fn is(&self, path: &str, text: &str) -> bool {
        self.at(path).as_str() == Some(text)
    }

    /// The number there; zero where there is none.
    pub(crate) fn number(&self, path: &str) -> f64 {
        self.at(path).as_f64().unwrap_or_default()
    }

    /// How many there are, such as `10,000+` where not all were counted.
    pub(crate) fn count(&self) -> String {
        let digits = self.text("count");
        let groups: Vec<&str> =
            digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
        format!("{}{}", groups.join(","), if self.at("count_is_exact") == &Value::Bool(false) { "+" } else { "" })
    }

    pub(crate) fn get(&self, path: &str) -> Self {
        Self(self.at(path).clone())
    }

    /// The values of a list.
    pub(crate) fn list(&self, path: &str) -> Vec<Self> {
        self.at(path).as_array().into_iter().flatten().cloned().map(Self).collect()
    }

    /// What a radar watches.
    pub(crate) fn target(&self) -> String {
        let fields = ["domain", "full_name", "email", "profile_url", "keyword", "countries"];
        fields.map(|field| self.text(field)).into_iter().find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// The names and values of an object that say something, as texts.
    pub(crate) fn fields(&self, path: &str) -> Vec<(String, String)> {
        let fields = self.at(path).as_object().into_iter().flatten();
        let texts = fields.map(|(name, value)| (name.replace('_', " "), text_of(value)));
        texts.filter(|(_, text)| !text.is_empty()).collect()
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text_of).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}: {}", text_of(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::Record;
    use serde_json::json;

    #[test]
    fn what_is_not_there_is_empty() {
        let record = Record(json!({"a": {"b": "2026-03-01T10:00:00.000000Z", "c": [1, 2]}, "d": null, "e": 0}));
        assert_eq!(record.instant("a.b"), "2026-03-01 10:00:00");
        assert_eq!((record.text("a.c"), record.text("d"), record.text("x.y")), ("1, 2".into(), "".into(), "".into()));
        assert!(record.has("a.c") && !record.has("d") && !record.has("e") && !record.has("x"));
        assert_eq!(record.list("a.c").len(), 2);
        assert_eq!(record.fields("a").len(), 2);
    }

    #[test]
    fn a_count_says_where_it_ends() {
        for (count, is_exact, text) in [(7, true, "7"), (1234, true, "1,234"), (10_000, false, "10,000+")] {
            assert_eq!(Record(json!({"count": count, "count_is_exact": is_exact})).count(), text);
        }
    }
}
