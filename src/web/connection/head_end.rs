//! Where the head of a request ends.

/// Finds the empty line that ends a head, also when it comes in parts or with bare line feeds.
#[derive(Debug, Default)]
pub(super) struct HeadEnd {
    /// Whether nothing but carriage returns came since the last line feed.
    is_line_empty: bool,
}

impl HeadEnd {
    /// The length of what belongs to the head, if it ends within `bytes`.
    pub(super) fn find(&mut self, bytes: &[u8]) -> Option<usize> {
        for (index, byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' if self.is_line_empty => {
                    self.is_line_empty = false;
                    return Some(index + 1);
                }
                b'\n' => self.is_line_empty = true,
                b'\r' => {}
                _ => self.is_line_empty = false,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::HeadEnd;

    #[test]
    fn a_head_ends_at_its_empty_line_however_it_comes() {
        for (parts, end) in [
            (vec!["GET / HTTP/1.1\r\n\r\nGET /"], Some((0, 18))),
            (vec!["GET / HTTP/1.1\r\nhost: a\r", "\n", "\r", "\nGET"], Some((3, 1))),
            (vec!["GET / HTTP/1.1\n\nGET /"], Some((0, 16))),
            (vec!["\r\n\r\nGET"], Some((0, 4))),
            (vec!["GET / HTTP/1.1\r\nhost: a\r\n"], None),
        ] {
            let mut head_end = HeadEnd::default();
            let found = parts.iter().enumerate().find_map(|(part, text)| Some((part, head_end.find(text.as_bytes())?)));
            assert_eq!(found, end, "{parts:?}");
        }
    }
}
