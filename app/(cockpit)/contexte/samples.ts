import type { PillarRole } from '#lib/brain/templates.ts';

type Call = {
  origin: string;
  spaceId: string;
  pillars: PillarRole[] | null;
  maxChars: number;
  q: string | null;
};

/** The request for a context with curl, in two languages, and by an assistant. */
export function contextSamples({
  origin,
  spaceId,
  pillars,
  maxChars,
  q,
}: Call): { label: string; code: string }[] {
  const query = new URLSearchParams({
    ...(pillars ? { pillars: pillars.join(',') } : {}),
    maxChars: String(maxChars),
    ...(q === null ? {} : { q }),
  });
  const address = `${origin}/api/v1/spaces/${spaceId}/context?${query.toString().replaceAll('%2C', ',')}`;
  const args = JSON.stringify(
    { spaceId, ...(pillars ? { pillars } : {}), maxChars, ...(q === null ? {} : { q }) },
    null,
    2,
  );
  return [
    { label: 'curl', code: `curl -H "Authorization: Bearer $ATELIER_KEY" \\\n  "${address}"` },
    {
      label: 'JavaScript',
      code: `const answer = await fetch(\n  '${address}',\n  { headers: { authorization: \`Bearer \${process.env.ATELIER_KEY}\` } },\n);\nconst { context } = await answer.json();`,
    },
    {
      label: 'Python',
      code: `import json, os, urllib.request\n\nrequest = urllib.request.Request(\n    "${address}",\n    headers={"Authorization": "Bearer " + os.environ["ATELIER_KEY"]},\n)\ncontext = json.load(urllib.request.urlopen(request))["context"]`,
    },
    { label: 'MCP', code: `${origin}/api/mcp\n\nbrain_get_context\n${args}` },
  ];
}
