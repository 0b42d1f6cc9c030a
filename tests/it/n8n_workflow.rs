//! The workflow for n8n in `docs/`: it is whole, and asks for what there is.

use std::collections::BTreeSet;

use serde_json::Value;

const WORKFLOW: &str = include_str!("../../docs/n8n-workflow.json");
const SERVICE: &str = "http://localhost:8080";

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

#[test]
fn every_node_is_there_once_and_reached() {
    let workflow: Value = serde_json::from_str(WORKFLOW).expect("JSON");
    let nodes = workflow["nodes"].as_array().expect("nodes");
    let names: BTreeSet<&str> = nodes.iter().map(|node| text(node, "name")).collect();
    assert_eq!(names.len(), nodes.len());
    for node in nodes {
        assert!(text(node, "type").starts_with("n8n-nodes-base."), "{node}");
        assert!(node["typeVersion"].is_number() && node["position"].is_array() && node["parameters"].is_object());
    }
    let connections = workflow["connections"].as_object().expect("connections");
    let mut reached = BTreeSet::from([text(&nodes[0], "name")]);
    for (from, to) in connections {
        assert!(names.contains(from.as_str()), "{from}");
        reached.extend(to["main"][0].as_array().expect("a list").iter().map(|end| text(end, "node")));
    }
    assert_eq!(reached, names);
}

#[test]
fn it_asks_the_service_for_paths_that_there_are() {
    let workflow: Value = serde_json::from_str(WORKFLOW).expect("JSON");
    let routes = radar::api::routes();
    let mut asked = 0;
    for node in workflow["nodes"].as_array().expect("nodes") {
        let Some(path) = node["parameters"]["url"].as_str().and_then(|url| url.strip_prefix(SERVICE)) else { continue };
        let method = node["parameters"]["method"].as_str().unwrap_or("GET");
        assert!(routes.iter().any(|(known, route)| known == method && *route == path), "{method} {path}");
        asked += 1;
    }
    assert!(asked > 0);
}
