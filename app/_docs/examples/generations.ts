import type { OperationExample } from './types.ts';

const SESSION = '-b "$ATELIER_SESSION"';
const JSON_BODY = '-H "Content-Type: application/json"';

/** The Studio's generations, with a member's session. */
export const GENERATION_EXAMPLES = {
  listGenerations: {
    curl: `curl -G "$ATELIER_URL/api/generations" \\
  ${SESSION} \\
  -d status=done -d limit=10`,
    typescript: `for await (const generation of atelier.studio.generations({ status: 'done' }))
  console.log(generation.id, generation.kind, generation.costUsd);`,
  },
  createGeneration: {
    curl: `curl "$ATELIER_URL/api/generations" \\
  ${SESSION} \\
  ${JSON_BODY} \\
  -H "Idempotency-Key: bougie-1" \\
  -d '{"kind": "image", "brief": "Une bougie ambrée sur une table en chêne"}'`,
    typescript: `const image = await atelier.studio.createGeneration(
  { kind: 'image', brief: 'Une bougie ambrée sur une table en chêne' },
  { idempotencyKey: 'bougie-2' },
);
console.log(image.status, image.costUsd, image.files[0]?.url);`,
  },
  previewGeneration: {
    curl: `curl "$ATELIER_URL/api/generations/preview" \\
  ${SESSION} \\
  ${JSON_BODY} \\
  -d '{"kind": "image", "brief": "Une bougie ambrée sur une table en chêne"}'`,
    typescript: `const preview = await atelier.studio.previewGeneration({
  kind: 'image',
  brief: 'Une bougie ambrée sur une table en chêne',
});
console.log(preview);`,
  },
  getGeneration: {
    curl: `curl "$ATELIER_URL/api/generations/$GENERATION_ID" \\
  ${SESSION}`,
    typescript: `const generation = await atelier.studio.getGeneration(generationId);
console.log(generation.status, generation.label);`,
  },
  relaunchGeneration: {
    curl: `curl -X POST "$ATELIER_URL/api/generations/$RENDER_ID/relaunch" \\
  ${SESSION} \\
  -H "Idempotency-Key: relance-1"`,
    typescript: `const relaunched = await atelier.studio.relaunchGeneration(renderId, { idempotencyKey: 'relance-1' });
console.log(relaunched.id, relaunched.status);`,
  },
  readCaptions: {
    curl: `curl "$ATELIER_URL/api/generations/$SPEECH_ID/captions?format=vtt" \\
  ${SESSION} \\
  -o legendes.vtt`,
    typescript: `const captions = await atelier.studio.readCaptions(speechId, { format: 'vtt' });
console.log(captions);`,
  },
} as const satisfies Record<string, OperationExample>;
