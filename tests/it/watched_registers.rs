//! Registers, filings, reviews and team pages, watched end to end from served answers, in the manner of
//! [`crate::watched_types`]; and a type that nothing serves here, which fails honestly.

use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::sites::Sites;
use crate::watched_types::{Row, SitePage, company, list, title, watch_with};

const REGISTERS: &[Row] = &[
    Row {
        source: "brreg",
        radar_type: "industry_new_companies",
        target: || ("/v1/radars/industry", json!({})),
        hosts: &["data.brreg.no"],
        pages: |ids| {
            let company = |id: u32| {
                json!({"organisasjonsnummer": format!("99900000{id}"), "navn": format!("QUARRELAKE {id} AS"), "hjemmeside": "www.quarrelake.example",
                       "registreringsdatoEnhetsregisteret": "2026-11-20", "naeringskode1": {"kode": "62.100", "beskrivelse": "Programmeringstjenester"}})
            };
            // The request says since when: the day that the simulated clock shows.
            let answer =
                json!({"_embedded": {"enheter": list(ids, company)}, "page": {"totalElements": ids.len()}}).to_string();
            let place = |day: &str| {
                format!(
                    "data.brreg.no/enhetsregisteret/api/enheter?fraRegistreringsdatoEnhetsregisteret={day}&konkurs=false&organisasjonsform=AS%2CASA%2CSE%2CNUF&size=100&sort=registreringsdatoEnhetsregisteret%2Cdesc"
                )
            };
            let days = ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"];
            days.map(|day| (place(day), "application/json", answer.clone())).to_vec()
        },
        content: || {
            json!({"company_name": "QUARRELAKE 2 AS", "company_domain": "quarrelake.example", "registration_number": "999000002",
                   "jurisdiction": "NO", "registered_at": "2026-11-20", "activity": "Programmeringstjenester",
                   "source_url": "https://virksomhet.brreg.no/nb/oppslag/enheter/999000002", "source_name": "Brønnøysundregistrene"})
        },
    },
    Row {
        source: "sec_form_d",
        radar_type: "industry_funding_rounds",
        target: || ("/v1/radars/industry", json!({})),
        hosts: &["www.sec.gov"],
        pages: |ids| {
            let entry = |id: u32, form: &str| {
                format!(
                    "<entry><title>{form} - Quarrelake {id} Inc (000210000{id}) (Filer)</title><link rel='alternate' type='text/html' \
                     href='https://www.sec.gov/Archives/edgar/data/210000{id}/00021000002600000{id}/0002100000-26-00000{id}-index.htm'/>\
                     <summary type='html'>Item 06B: Rule 506(b)</summary><updated>2026-11-20T14:43:18-05:00</updated>\
                     <category scheme='https://www.sec.gov/' label='form type' term='{form}'/>\
                     <id>urn:tag:sec.gov,2008:accession-number=0002100000-26-00000{id}</id></entry>"
                )
            };
            // A fund and another form come with each new filing.
            let filings: String =
                ids.iter().map(|id| entry(*id, "D") + &entry(id + 4, "D") + &entry(id + 7, "DEF 14A")).collect();
            let feed =
                format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>Latest Filings</title>{filings}</feed>");
            let document = |id: u32, group: &str| {
                format!(
                    "<?xml version='1.0'?><edgarSubmission><primaryIssuer><entityName>Quarrelake {id} Inc</entityName></primaryIssuer>\
                     <offeringData><industryGroup><industryGroupType>{group}</industryGroupType></industryGroup><offeringSalesAmounts>\
                     <totalOfferingAmount>6000000</totalOfferingAmount><totalAmountSold>5200000</totalAmountSold></offeringSalesAmounts>\
                     </offeringData></edgarSubmission>"
                )
            };
            let place =
                |id: u32| format!("www.sec.gov/Archives/edgar/data/210000{id}/00021000002600000{id}/primary_doc.xml");
            let documents = ids.iter().flat_map(|id| {
                [
                    (place(*id), document(*id, "Other Technology")),
                    (place(id + 4), document(id + 4, "Pooled Investment Fund")),
                ]
            });
            let feed = [("www.sec.gov/cgi-bin/browse-edgar?*".to_owned(), "application/atom+xml", feed)];
            feed.into_iter().chain(documents.map(|(place, body)| (place, "application/xml", body))).collect()
        },
        content: || {
            json!({"company_name": "Quarrelake 2 Inc", "amount": 5_200_000, "currency": "USD", "announced_at": "2026-11-20", "round": null,
                   "source_url": "https://www.sec.gov/Archives/edgar/data/2100002/000210000026000002/0002100000-26-000002-index.htm",
                   "source_name": "SEC EDGAR"})
        },
    },
    Row {
        source: "sec_8k_people",
        radar_type: "company_new_hires",
        target: company,
        hosts: &["acme-robotics.com", "www.sec.gov"],
        pages: |ids| {
            let entry = |id: &u32| {
                format!(
                    "<entry><title>8-K - ACME ROBOTICS INC (0002100001) (Filer)</title><link rel='alternate' type='text/html' \
                     href='https://www.sec.gov/Archives/edgar/data/2100001/00021000012600000{id}/0002100001-26-00000{id}-index.htm'/>\
                     <summary type='html'>Item 5.02: Departure of Directors or Certain Officers</summary>\
                     <updated>2026-11-20T16:31:07-05:00</updated><category label='form type' term='8-K'/>\
                     <id>urn:tag:sec.gov,2008:accession-number=0002100001-26-00000{id}</id></entry>"
                )
            };
            let feed = format!(
                "<feed xmlns='http://www.w3.org/2005/Atom'>{}</feed>",
                ids.iter().map(entry).collect::<String>()
            );
            let filing = |id: &u32| {
                let appointed = ["", "Leo Stark as", "Ines Varga as", "Mara Lindqvist as"][*id as usize];
                let post = if *id < 3 { "Vice President of Engineering" } else { "Chief Financial Officer" };
                let body = format!(
                    "<html><p>Item&#160;5.02 Appointment of Certain Officers.</p><p>On November 18, 2026, Erik Sundberg retired.</p>\
                     <p>The Board of Directors appointed {appointed} {post} of the Company, effective December 1, 2026.</p></html>"
                );
                let place = format!(
                    "www.sec.gov/Archives/edgar/data/2100001/00021000012600000{id}/0002100001-26-00000{id}.txt"
                );
                (place, "text/plain", body)
            };
            let home = ("acme-robotics.com/".to_owned(), "text/html", "<title>Acme Robotics</title>".to_owned());
            let feed = ("www.sec.gov/cgi-bin/browse-edgar?*".to_owned(), "application/atom+xml", feed);
            [home, feed].into_iter().chain(ids.iter().map(filing)).collect()
        },
        content: || {
            json!({"full_name": "Ines Varga", "first_name": "Ines", "last_name": "Varga", "profile_url": null,
                   "title": "Vice President of Engineering", "start_date": "2026-12-01", "country": null,
                   "source_url": "https://www.sec.gov/Archives/edgar/data/2100001/000210000126000002/0002100001-26-000002-index.htm",
                   "source_name": "SEC EDGAR"})
        },
    },
    Row {
        source: "team_page",
        radar_type: "company_new_hires",
        target: company,
        hosts: &["acme-robotics.com"],
        pages: |ids| {
            let card =
                |name: &str, title: &str| format!("<div class='card'><h3>{name}</h3><p class='role'>{title}</p></div>");
            let names = ["", "Ada Byron", "Mary Shelley", "James Watt"];
            let people: String = ids.iter().map(|id| card(names[*id as usize], &title(*id))).collect();
            let others = card("Robert Burns", "Chief Executive Officer") + &card("Linda Stone", "Sales Manager");
            let team = format!("<html><h1>Our team</h1>{others}{people}</html>");
            let home = "<html><title>Acme Robotics</title><a href='/about/team'>Our team</a></html>";
            vec![
                ("acme-robotics.com/".to_owned(), "text/html", home.to_owned()),
                ("acme-robotics.com/about/team".to_owned(), "text/html", team),
            ]
        },
        content: || {
            json!({"full_name": "Mary Shelley", "first_name": "Mary", "last_name": "Shelley", "title": "Robotics Engineer 2",
                   "profile_url": null, "start_date": null, "country": null,
                   "source_url": "https://acme-robotics.com/about/team", "source_name": "Team page"})
        },
    },
];

const TRUSTPILOT: Row = Row {
    source: "trustpilot",
    radar_type: "company_reviews",
    target: company,
    hosts: &["acme-robotics.com", "api.trustpilot.com"],
    pages: |ids| {
        let review = |id: u32| json!({"id": format!("66aa0{id}"), "stars": 4, "title": title(id), "text": "No leaks.", "createdAt": "2026-11-18T09:00:00Z"});
        let unit = "api.trustpilot.com/v1/business-units/find?name=acme-robotics.com&apikey=s3cret".to_owned();
        let reviews = json!({"reviews": list(ids, review)}).to_string();
        let pages: [SitePage; 2] = [
            (unit, "application/json", json!({"id": "5f00aa"}).to_string()),
            ("api.trustpilot.com/v1/business-units/5f00aa/reviews?*".to_owned(), "application/json", reviews),
        ];
        pages.to_vec()
    },
    content: || {
        json!({"review_content": "Robotics Engineer 2\n\nNo leaks.", "review_url": "https://www.trustpilot.com/reviews/66aa02",
               "review_source": "trustpilot", "review_rating": 4, "reviewed_at": "2026-11-18", "source_name": "Trustpilot"})
    },
};

#[actix_web::test]
async fn registers_filings_and_team_pages_are_watched_from_set_up_to_push() {
    for row in REGISTERS {
        println!("{} by {}", row.radar_type, row.source);
        watch_with(row, 25, &[]).await;
    }
}

#[actix_web::test]
async fn reviews_are_watched_where_there_is_a_key() {
    watch_with(&TRUSTPILOT, 9, &[("RADAR_TRUSTPILOT_KEY".to_owned(), "s3cret".to_owned())]).await;
}

#[actix_web::test]
async fn decision_7_5_a_type_that_no_enabled_source_serves_fails_at_once_and_is_refunded() {
    let (sites, database) = (Sites::start(&["acme-robotics.com"]), TestDatabase::sqlite());
    sites.put("acme-robotics.com/", "text/html", "<html><title>Acme Robotics</title></html>");
    let service = Service::start_with(database.url(), &[], &sites.settings());
    let customer = Customer::create(&service).await;
    customer.price(&service, "company_reviews", "subscription", "0.4").await;
    customer.top_up(&service, "first", "1").await;
    let (path, mut body) = company();
    body["radar_type"] = json!("company_reviews");
    let created = customer.api(&service).post(path, &body).await.expect_status(201);
    customer.settled(&service, created.text("/data/radar_id")).await;
    let radar = customer.api(&service).get(&format!("/v1/radars/{}", created.text("/data/radar_id"))).await;
    let radar = radar.expect_status(200);
    assert_eq!(radar.text("/data/radar_status"), "inactive");
    assert_eq!(radar.text("/data/status_reason"), "missing_prerequisites");
    let updates = customer.updates(&service).await;
    let failure = parse(&updates[0]);
    assert_eq!(failure["content"]["failure_reason"], "missing_prerequisites", "{failure}");
    assert_eq!(failure["content"]["refund_amount"], json!(0.4));
    let account = customer.account(&service).await;
    assert_eq!(account["balance_remaining_usd"], json!(1));
    assert_eq!(account["usage"]["balance_used_usd"], json!(0));
    assert_eq!(sites.fetches("acme-robotics.com/"), 0, "nobody is asked about what nothing can find");
    service.assert_ledger_adds_up();
}

/// A team page with these people and titles, each with a link to a profile.
fn team(people: &[(&str, &str)]) -> String {
    let card = |(name, title): &(&str, &str)| {
        let profile = name.to_lowercase().replace(' ', "-");
        format!(
            "<div class='card'><h3>{name}</h3><p>{title}</p><a href='https://www.linkedin.com/in/{profile}'>Profile</a></div>"
        )
    };
    format!("<html><h1>Our team</h1>{}</html>", people.iter().map(card).collect::<String>())
}

#[actix_web::test]
async fn promotions_and_departures_are_read_from_a_team_page() {
    let (sites, database) = (Sites::start(&["acme-robotics.com"]), TestDatabase::sqlite());
    let page = "acme-robotics.com/about/team";
    sites.put("acme-robotics.com/", "text/html", "<title>Acme Robotics</title><a href='/about'>About</a>");
    sites.put("acme-robotics.com/about", "text/html", "<p>We build robots.</p><a href='/about/team'>Our people</a>");
    let before =
        [("Robert Burns", "CEO"), ("Linda Stone", "Sales Manager"), ("Ada Byron", "Engineer"), ("Mary King", "CTO")];
    sites.put(page, "text/html", &team(&before));
    let clock = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
    let service = Service::start_with(database.url(), &clock, &sites.settings());
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "10").await;
    let domain = "acme-robotics.com";
    let api = customer.api(&service);
    for (path, body) in [
        ("/v1/radars/companies", json!({"domain": domain, "radar_type": "company_promotions"})),
        (
            "/v1/radars/contacts",
            json!({"domain": domain, "radar_type": "contact_job_changes", "full_name": "Ada Byron"}),
        ),
        (
            "/v1/radars/contacts",
            json!({"domain": domain, "radar_type": "contact_job_changes", "profile_url": "linkedin.com/in/linda-stone"}),
        ),
    ] {
        let created = api.post(path, &body).await.expect_status(201);
        let detail = customer.settled_in_time(&service, created.text("/data/radar_id")).await.to_string();
        assert!(detail.contains("\"set_up\":\"ready\"") && detail.contains("team_page"), "{detail}");
    }
    // Somebody whom the page does not show cannot be followed there.
    let stranger = json!({"domain": domain, "radar_type": "contact_job_changes", "full_name": "Grace Hopper"});
    let created = api.post("/v1/radars/contacts", &stranger).await.expect_status(201);
    customer.settled_in_time(&service, created.text("/data/radar_id")).await;
    let radar = api.get(&format!("/v1/radars/{}", created.text("/data/radar_id"))).await.expect_status(200);
    assert_eq!(radar.text("/data/status_reason"), "missing_prerequisites");
    let failures = customer.updates(&service).await.len();

    sites.put(
        page,
        "text/html",
        &team(&[("Robert Burns", "CEO"), ("Linda Stone", "VP of Sales"), ("Mary King", "CTO")]),
    );
    let advance = json!({"seconds": 90 * 60 * 60});
    service.operator().post("/operator/v1/clock/advance", &advance).await.expect_status(200);
    let updates = eventually("both are published", || async {
        Some(customer.updates(&service).await).filter(|updates| updates.len() >= failures + 3)
    })
    .await;
    let findings: Vec<_> =
        updates.iter().map(|update| parse(update)).filter(|one| one["update_type"] == "radar_finding").collect();
    assert_eq!(findings.len(), 3, "{findings:?}");
    let of = |radar_type: &str, change: &str| {
        let is_it =
            |one: &&Value| one["data"]["radar_type"] == radar_type && one["content"].to_string().contains(change);
        findings.iter().find(is_it).unwrap_or_else(|| panic!("{radar_type} {change}: {findings:?}"))["content"].clone()
    };
    let promotion = of("company_promotions", "Linda Stone");
    assert_eq!(
        (&promotion["previous_title"], &promotion["current_title"]),
        (&json!("Sales Manager"), &json!("VP of Sales"))
    );
    let promoted = of("contact_job_changes", "\"promotion\"");
    assert_eq!(
        (&promoted["new_role"]["title"], &promoted["new_role"]["company_domain"]),
        (&json!("VP of Sales"), &json!(domain))
    );
    let departure = of("contact_job_changes", "\"departure\"");
    assert_eq!(
        (&departure["previous_role"]["title"], &departure["new_role"]["title"]),
        (&json!("Engineer"), &json!(null))
    );
    for content in [promoted, departure] {
        assert!(!content.to_string().contains("Stone") && !content.to_string().contains("Byron"), "{content}");
    }
}
