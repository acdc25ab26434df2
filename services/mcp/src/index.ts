export { mcpSecrets, mcpServiceSettings, mcpSettings } from './config.ts';
export { createMcp } from './mcp.ts';
export { storedMcpSecret, storedMcpSecrets } from './stored-secret.ts';
export { TOOL_ERRORS } from './tool-error.ts';
export { tools } from './tools/tools.ts';
