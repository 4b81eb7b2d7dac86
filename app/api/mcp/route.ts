import { withMcp } from '#lib/http/middleware/with-mcp.ts';
import { registerTools, TOOLS } from '#lib/mcp/register-tools.ts';

const handle = withMcp({
  register: registerTools,
  rules: (name) => TOOLS.find((tool) => tool.name === name),
});

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
