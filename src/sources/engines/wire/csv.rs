//! Rows of separated values as a list of objects.

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Map, Value};

use super::WireError;
use crate::reading;
use crate::sources::bounds::{ITEMS_MAX, JSON_MEMORY_MAX};
use crate::sources::format::wire_format::CsvRows;

/// What a value takes in memory beside its text, about.
const VALUE_BYTES: usize = 150;

/// Reads the rows of `text`: the named columns where columns are named, or else all of them, by the header's names or by
/// their number from 0. Rows of another length are read as far as they go.
pub fn read(text: &str, rows: &CsvRows) -> Result<Value, WireError> {
    let text = text.trim_start_matches('\u{feff}');
    let delimiter = u8::try_from(rows.delimiter).unwrap_or(b',');
    let mut builder = ReaderBuilder::new();
    builder.delimiter(delimiter).flexible(true).has_headers(rows.has_header);
    // Tabs separate values that are never quoted.
    let mut reader = builder.quoting(delimiter != b'\t').from_reader(text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let mut memory = JSON_MEMORY_MAX;
    let mut read = Vec::new();
    for record in reader.records().take(ITEMS_MAX).take_while(|_| reading::goes_on()) {
        let record = record.map_err(|_| WireError::TooLarge)?;
        let row = row(rows, &header, &record);
        let taken: usize =
            row.iter().map(|(name, value)| VALUE_BYTES + name.len() + value.as_str().map_or(0, str::len)).sum();
        memory = memory.checked_sub(VALUE_BYTES + taken).ok_or(WireError::TooLarge)?;
        read.push(Value::Object(row));
    }
    Ok(Value::Array(read))
}

fn row(rows: &CsvRows, header: &StringRecord, record: &StringRecord) -> Map<String, Value> {
    let text = |index: usize| record.get(index).map(|text| Value::String(text.trim().to_owned()));
    if !rows.columns.is_empty() {
        let named = rows.columns.iter().filter_map(|(name, index)| Some((name.clone(), text(*index)?)));
        return named.collect();
    }
    let name = |index: usize| match header.get(index).filter(|_| rows.has_header) {
        Some(name) => name.trim().to_owned(),
        None => index.to_string(),
    };
    (0..record.len()).filter_map(|index| Some((name(index), text(index)?))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;
    use crate::sources::format::wire_format::CsvRows;

    fn rows(table: &str) -> CsvRows {
        toml::from_str(table).unwrap()
    }

    #[test]
    fn rows_become_objects() {
        let csv = "\u{feff}name,city\n\"Acme, Inc.\",Oslo\nBeta\n";
        assert_eq!(
            read(csv, &rows("has_header = true")).unwrap(),
            json!([{"name": "Acme, Inc.", "city": "Oslo"}, {"name": "Beta"}])
        );
        let tsv = "1\tsaid \"so\tx\n2\ty\tz\n";
        assert_eq!(
            read(tsv, &rows("delimiter = \"\\t\"")).unwrap(),
            json!([{"0": "1", "1": "said \"so", "2": "x"}, {"0": "2", "1": "y", "2": "z"}])
        );
        let table = "delimiter = \"\\t\"\ncolumns = { id = 0, what = 2, none = 9 }";
        assert_eq!(read(tsv, &rows(table)).unwrap()[1], json!({"id": "2", "what": "z"}));
        assert_eq!(read("", &rows("")).unwrap(), json!([]));
    }
}
