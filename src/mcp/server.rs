//! The server that an agent speaks to: `rmcp` speaks the protocol, this answers it.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::api::Api;
use super::tools::{TOOLS, call};

const INSTRUCTIONS: &str = "Radars watch companies, people and industries on the public web and report what is new. Start \
    with list_radar_types for what there is and what it costs, preview_radar for what a radar would find, list_updates for \
    what was found. create_radar spends the user's money and deactivate_radar ends what they paid for: both do nothing until \
    the user has seen the price and agreed.";

/// The tools of one account.
pub struct Server(Api);

impl Server {
    /// The tools, which ask `api`.
    pub fn new(api: Api) -> Self {
        Self(api)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("radar", env!("CARGO_PKG_VERSION")).with_title("Radar monitoring");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        TOOLS.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = call(&request.name)
            .ok_or_else(|| ErrorData::invalid_params(format!("there is no tool {}", request.name), None))?;
        let outcome = call(self.0.clone(), request.arguments.unwrap_or_default()).await;
        Ok(outcome.map_or_else(CallToolResult::structured_error, CallToolResult::structured).into())
    }
}
