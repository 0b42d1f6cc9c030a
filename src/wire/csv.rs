//! Comma-separated values: RFC 4180, and safe to open in a spreadsheet.

/// Beginnings that make a spreadsheet take a text for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// One record with its line end. Cells that hold a comma, a quote or a line break are quoted.
pub fn record<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<String> = cells.into_iter().map(quoted).collect();
    cells.join(",") + "\r\n"
}

/// A text of a customer's, with an apostrophe before what a spreadsheet would run. Numbers must not go through here.
pub fn guarded(text: &str) -> String {
    let apostrophe = if text.starts_with(FORMULA) { "'" } else { "" };
    format!("{apostrophe}{text}")
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{guarded, record};

    #[test]
    fn what_could_break_a_line_is_quoted() {
        assert_eq!(record(["1", "", "-0.1", "two words"]), "1,,-0.1,two words\r\n");
        assert_eq!(record(["a,b", "say \"x\"", "c\r\nd"]), "\"a,b\",\"say \"\"x\"\"\",\"c\r\nd\"\r\n");
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_disarmed() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(guarded(text), format!("'{text}"));
        }
        for text in ["", "inv-7", "a=b", "'x"] {
            assert_eq!(guarded(text), text);
        }
    }
}
