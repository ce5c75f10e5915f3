//! What the protocol's conformance suite asks for by name: tools, prompts and resources that do nothing.
//!
//! Served by a hidden flag, from a process that opens no workspace. The scenarios are those of npm
//! `@modelcontextprotocol/conformance`; each fixture is named for the one that needs it.
#![expect(deprecated, reason = "logging is gone from the current revision and asked for in the older ones")]

mod asking;
mod contents;
mod tools;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, GetPromptRequestParams,
        GetPromptResponse, Implementation, InitializeRequestParams, InitializeResult, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, RequestStateCodec, ServerCapabilities, ServerConfig,
        SetLevelRequestParams, SubscribeRequestParams, Tool, UnsubscribeRequestParams,
    },
    service::RequestContext,
};

/// The fixtures as a server.
#[derive(Clone, Debug)]
pub struct Fixtures {
    codec: std::sync::Arc<RequestStateCodec>,
}

impl Default for Fixtures {
    fn default() -> Self {
        // No secret: what is sealed with it means nothing.
        Self { codec: RequestStateCodec::new_unchecked(*b"a key of fixtures, known to all.").into() }
    }
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().enable_completions();
        ServerConfig::new(capabilities.build())
            .with_server_info(Implementation::new("aside-conformance-fixtures", env!("CARGO_PKG_VERSION")))
    }

    /// What only the revisions with a handshake have.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut info = self.negotiate_initialize(&request)?;
        let older =
            ServerCapabilities::builder().enable_resources().enable_resources_subscribe().enable_logging().build();
        info.capabilities.logging = older.logging;
        info.capabilities.resources = older.resources;
        Ok(info)
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::default())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::list().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.strip_prefix("test_input_required_result_") {
            Some(kind) => asking::call(kind, &request, &context, &self.codec),
            None => tools::call(&request, &context).await,
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(contents::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        contents::prompt(&request)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(contents::resources()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(contents::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        contents::read(&request.uri)
    }
}

/// Reads a value that is written in the program.
fn written<T: serde::de::DeserializeOwned>(value: serde_json::Value) -> T {
    serde_json::from_value(value).expect("fixtures are well formed; the test of this module reads them all")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_written_can_be_read() {
        assert!(tools::list().len() > 20);
        assert!(tools::list().iter().all(|tool| tool.input_schema["type"] == "object"));
        for prompt in contents::prompts() {
            let request = GetPromptRequestParams::new(prompt.name);
            contents::prompt(&request).unwrap();
        }
        for resource in contents::resources() {
            contents::read(&resource.uri).unwrap();
        }
        contents::templates();
        assert!(contents::read("test://other").is_err());
    }
}
