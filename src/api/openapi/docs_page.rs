//! The frame of the page at `/docs/`: that of the library, with our title, and usable on a narrow screen.

/// What is replaced in the library's page. A test finds out when it is no longer there.
const THEIR_TITLE: &str = "<title>Swagger UI</title>";
const STYLE: &str = include_str!("docs.css");

/// The page with what is ours. Its title is that of the document.
pub(super) fn framed(page: &str, title: &str) -> String {
    let title = html_escape::encode_text(title);
    let head = format!(
        "<title>{title}</title>\n    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n    \
         <style>\n{STYLE}    </style>"
    );
    page.replace(THEIR_TITLE, &head)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use utoipa_swagger_ui::Config;

    use super::framed;

    #[test]
    fn the_page_has_a_title_of_its_own_and_fits_a_narrow_screen() {
        let page = utoipa_swagger_ui::serve("index.html", Arc::new(Config::from("../openapi.json"))).expect("the page");
        let page = String::from_utf8(page.expect("the page").bytes.into_owned()).expect("UTF-8");
        let framed = framed(&page, "Radar <API>");
        assert!(framed.contains("<title>Radar &lt;API&gt;</title>") && !framed.contains("<title>Swagger UI"));
        assert!(framed.contains("name=\"viewport\"") && framed.contains("@media (max-width: 640px)"));
    }
}
