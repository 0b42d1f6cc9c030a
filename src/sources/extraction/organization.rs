//! schema.org `Organization` in the JSON-LD of a page: what a company says of itself in a form for machines.
//!
//! Duty: find the organizations in any shape that sites use and read their names, addresses and people. Never here:
//! which of them is the company whose page it is.

use serde_json::{Map, Value};
use url::Url;

use super::json_ld::{is_of, objects, text, values};
use outbound::web_address;

/// Values of one page that are looked at.
const VALUES_MAX: usize = 20_000;
/// Organizations of one page, and of each list of one.
const FOUND_MAX: usize = 50;

/// Types that are organizations though their names do not end so.
const TYPES: &[&str] = &["Corporation", "Airline", "Consortium", "Brand"];
/// Endings of the names of organizations.
const TYPE_ENDINGS: &[&str] = &["Organization", "Business", "Store", "Company"];
/// Types of what companies sell.
const PRODUCT_TYPES: &[&str] =
    &["Product", "SoftwareApplication", "WebApplication", "MobileApplication", "ProductGroup"];

/// An organization that a page describes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Organization {
    /// Its name.
    pub name: Option<String>,
    /// Its registered name, and others.
    pub other_names: Vec<String>,
    /// Its site.
    pub url: Option<Url>,
    /// Other addresses that are its own.
    pub same_as: Vec<Url>,
    /// People that it names as its founders, leaders or staff.
    pub people: Vec<String>,
    /// Addresses of the accounts of these people.
    pub accounts_of_people: Vec<Url>,
    /// The symbol of its shares.
    pub ticker: Option<String>,
}

/// What a page describes in its JSON-LD.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// Organizations, in order.
    pub organizations: Vec<Organization>,
    /// The names of products.
    pub products: Vec<String>,
}

/// Reads the JSON-LD blocks of the page at `page_url`.
pub fn described(json_ld: &[Value], page_url: &Url) -> Described {
    let mut found = Described::default();
    for object in objects(json_ld, VALUES_MAX, |_| false) {
        if is_organization(object) && found.organizations.len() < FOUND_MAX {
            found.organizations.push(organization(object, page_url));
        } else if is_of(object, |name| PRODUCT_TYPES.contains(&name)) && found.products.len() < FOUND_MAX {
            found.products.extend(object.get("name").and_then(text));
        }
    }
    found
}

fn is_organization(object: &Map<String, Value>) -> bool {
    is_of(object, |name| TYPES.contains(&name) || TYPE_ENDINGS.iter().any(|ending| name.ends_with(ending)))
}

fn organization(object: &Map<String, Value>, page_url: &Url) -> Organization {
    let texts = |key: &str| values(object, key).iter().filter_map(text);
    let people = ["founder", "founders", "ceo", "employee", "employees", "member"];
    let objects = people.into_iter().flat_map(|key| values(object, key)).filter_map(Value::as_object);
    let same_as = objects.flat_map(|person| values(person, "sameAs")).filter_map(text);
    Organization {
        name: texts("name").next(),
        other_names: ["legalName", "alternateName"].into_iter().flat_map(texts).take(FOUND_MAX).collect(),
        url: texts("url").find_map(|url| web_address::join(page_url, &url)),
        same_as: texts("sameAs").filter_map(|url| web_address::join(page_url, &url)).take(FOUND_MAX).collect(),
        accounts_of_people: same_as.filter_map(|url| web_address::join(page_url, &url)).take(FOUND_MAX).collect(),
        people: people.into_iter().flat_map(texts).take(FOUND_MAX).collect(),
        ticker: texts("tickerSymbol").next(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use url::Url;

    use super::{Organization, described};

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn an_organization_is_read_in_every_shape() {
        let page = url("https://acme.example/about");
        let plain = json!({"@type": "Organization", "name": "Acme", "url": "/", "sameAs": "https://x.com/acme"});
        let wanted = Organization {
            name: Some("Acme".into()),
            url: Some(url("https://acme.example/")),
            same_as: vec![url("https://x.com/acme")],
            ..Organization::default()
        };
        for shape in [
            plain.clone(),
            json!([plain]),
            json!({"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "publisher": plain}]}),
            json!({"@type": ["https://schema.org/OnlineStore"], "name": {"@value": "Acme"}, "url": ["/"], "sameAs": ["https://x.com/acme", 7, "mailto:a@b.example"]}),
        ] {
            let found = described(std::slice::from_ref(&shape), &page).organizations;
            assert_eq!(found, std::slice::from_ref(&wanted), "{shape}");
        }
    }

    #[test]
    fn names_people_tickers_and_products_are_read() {
        let block = json!({"@type": "Corporation", "name": "Acme &amp; Sons", "legalName": "Acme Inc.",
            "alternateName": ["ACME", ""], "tickerSymbol": "ACM", "founder": [{"@type": "Person", "name": "Ada Byron", "sameAs": ["https://bsky.app/profile/ada.example"]}],
            "makesOffer": {"itemOffered": {"@type": "Product", "name": "Anvil"}}});
        let found = described(&[block], &url("https://acme.example/"));
        let [acme] = &found.organizations[..] else { panic!("{found:?}") };
        assert_eq!(acme.name.as_deref(), Some("Acme & Sons"));
        assert_eq!(acme.other_names, ["Acme Inc.", "ACME"]);
        assert_eq!(acme.people, ["Ada Byron"]);
        assert_eq!(acme.accounts_of_people, [url("https://bsky.app/profile/ada.example")]);
        assert_eq!(acme.ticker.as_deref(), Some("ACM"));
        assert_eq!(found.products, ["Anvil"]);
    }

    #[test]
    fn what_is_no_organization_is_none() {
        for block in [json!({"name": "x"}), json!({"@type": "Person", "name": "x"}), json!("x"), json!({"@type": 7})] {
            assert_eq!(described(&[block], &url("https://acme.example/")).organizations, []);
        }
    }
}
