import { withMcp } from '#lib/http/middleware/with-mcp.ts';
import { registerTools, TOOLS } from '#lib/mcp/register-tools.ts';

export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = withMcp({
  register: registerTools,
  rules: (name) => TOOLS.find((tool) => tool.name === name),
});
