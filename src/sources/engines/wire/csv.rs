//! Rows of separated values as a list of objects.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use serde_json::{Map, Value};

use super::WireError;
use crate::bounds::{CSV_COLUMNS_MAX, CSV_RECORD_BYTES_MAX, ITEMS_MAX, JSON_MEMORY_MAX};
use crate::extraction::json::{OBJECT_BYTES, VALUE_BYTES};
use crate::format::wire_format::CsvRows;
use outbound::reading;

/// Reads the rows of `text`: the named columns where columns are named, or else all of them, by the header's names or by
/// their number from 0. Rows of another length are read as far as they go.
///
/// # Errors
/// [`WireError::TooLarge`] where a row has more columns or bytes than are held, or all of them take too much.
pub fn read(text: &str, rows: &CsvRows) -> Result<Value, WireError> {
    let mut records = Records::of(text, rows);
    let header: Vec<String> = match rows.has_header && records.next()? {
        true => records.values().map(|name| name.to_owned()).collect(),
        false => Vec::new(),
    };
    let mut memory = JSON_MEMORY_MAX;
    let mut read = Vec::new();
    while read.len() < ITEMS_MAX && reading::goes_on() && records.next()? {
        read.push(Value::Object(row(rows, &header, &records, &mut memory)?));
    }
    Ok(Value::Array(read))
}

fn row(
    rows: &CsvRows,
    header: &[String],
    record: &Records<'_>,
    memory: &mut usize,
) -> Result<Map<String, Value>, WireError> {
    let values: Vec<(String, &str)> = match rows.columns.is_empty() {
        true => {
            let name = |index: usize| header.get(index).map_or_else(|| index.to_string(), String::clone);
            record.values().enumerate().map(|(index, value)| (name(index), value)).collect()
        }
        false => rows.columns.iter().filter_map(|(name, index)| Some((name.clone(), record.value(*index)?))).collect(),
    };
    let taken: usize = values.iter().map(|(name, value)| VALUE_BYTES + name.len() + value.len()).sum();
    *memory = memory.checked_sub(OBJECT_BYTES + taken).ok_or(WireError::TooLarge)?;
    Ok(values.into_iter().map(|(name, value)| (name, Value::from(value))).collect())
}

/// One record after another; how much is held of one is bounded before it is read.
struct Records<'a> {
    reader: Reader,
    left: &'a [u8],
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Values of the record that was read.
    count: usize,
}

impl<'a> Records<'a> {
    fn of(text: &'a str, rows: &CsvRows) -> Self {
        let delimiter = u8::try_from(rows.delimiter).unwrap_or(b',');
        // Tabs separate values that are never quoted.
        let reader = ReaderBuilder::new().delimiter(delimiter).quoting(delimiter != b'\t').build();
        // With room for what is too much, to tell it from what just fits.
        let bytes = vec![0; text.len().min(CSV_RECORD_BYTES_MAX) + 1];
        Self { reader, left: text.as_bytes(), bytes, ends: vec![0; CSV_COLUMNS_MAX + 1], count: 0 }
    }

    /// Reads the next record, if there is one.
    fn next(&mut self) -> Result<bool, WireError> {
        let (mut written, mut count) = (0, 0);
        loop {
            let (result, taken, wrote, ended) =
                self.reader.read_record(self.left, &mut self.bytes[written..], &mut self.ends[count..]);
            (self.left, written, count) = (&self.left[taken..], written + wrote, count + ended);
            if written > CSV_RECORD_BYTES_MAX || count > CSV_COLUMNS_MAX {
                return Err(WireError::TooLarge);
            }
            match result {
                // All is there from the beginning: the input that is empty now ends the last record.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => return Err(WireError::TooLarge),
                ReadRecordResult::Record => {
                    self.count = count;
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    fn value(&self, index: usize) -> Option<&str> {
        let from = if index == 0 { 0 } else { *self.ends[..self.count].get(index - 1)? };
        let value = self.bytes.get(from..*self.ends[..self.count].get(index)?)?;
        // Values end where the text has a delimiter, which is a letter of its own.
        std::str::from_utf8(value).ok().map(str::trim)
    }

    fn values(&self) -> impl Iterator<Item = &str> {
        (0..self.count).map(|index| self.value(index).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;
    use crate::bounds::{CSV_COLUMNS_MAX, CSV_RECORD_BYTES_MAX};
    use crate::format::wire_format::CsvRows;

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
        assert_eq!(read("\n\na\r\n", &rows("")).unwrap(), json!([{"0": "a"}]));
    }

    #[test]
    fn a_record_is_held_within_bounds() {
        let wide = |columns: usize| format!("{}\n", "\t".repeat(columns - 1));
        let long = |bytes: usize| format!("a\t{}\n", "x".repeat(bytes - 1));
        let table = rows("delimiter = \"\\t\"\ncolumns = { id = 0 }");
        for (record, is_read) in [
            (wide(CSV_COLUMNS_MAX), true),
            (wide(CSV_COLUMNS_MAX + 1), false),
            (long(CSV_RECORD_BYTES_MAX), true),
            (long(CSV_RECORD_BYTES_MAX + 1), false),
        ] {
            assert_eq!(read(&record, &table).is_ok(), is_read);
            assert_eq!(read(&format!("a\tb\n{record}"), &table).is_ok(), is_read, "not the first");
        }
        let header = format!("{}\n", vec!["a name that is long"; CSV_COLUMNS_MAX].join(","));
        let many = header.clone() + &format!("{}\n", ",".repeat(CSV_COLUMNS_MAX - 1)).repeat(2_000);
        assert!(read(&many, &rows("has_header = true")).is_err(), "what each row repeats counts");
    }
}
