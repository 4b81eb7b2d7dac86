import type { OperationExample } from './types.ts';

const KEY = '-H "Authorization: Bearer $ATELIER_KEY"';

/** The Studio by key or token: generations, files and the wallet under `/api/v1`. */
export const PROGRAM_EXAMPLES = {
  listStudioGenerations: {
    curl: `curl -G "$ATELIER_URL/api/v1/generations" \\
  ${KEY} \\
  -d status=done -d limit=10`,
    typescript: `for await (const generation of atelier.generations.iterate({ status: 'done' }))
  console.log(generation.id, generation.kind, generation.costUsd);`,
  },
  createStudioGeneration: {
    curl: `curl "$ATELIER_URL/api/v1/generations" \\
  ${KEY} \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: lampe-1" \\
  -d '{"kind": "image", "brief": "Une lampe allumée au crépuscule"}'`,
    typescript: `const asked = await atelier.generations.create(
  { kind: 'image', brief: 'Une lampe allumée au crépuscule' },
  { idempotencyKey: 'lampe-2' },
);
const ended = await atelier.generations.wait(asked.id, { onProgress: ({ label }) => console.log(label) });
console.log(ended.status, ended.costUsd);`,
  },
  getStudioGeneration: {
    curl: `curl "$ATELIER_URL/api/v1/generations/$GENERATION_ID" \\
  ${KEY}`,
    typescript: `const generation = await atelier.generations.get(generationId);
console.log(generation.status, generation.label);`,
  },
  listFiles: {
    curl: `curl -G "$ATELIER_URL/api/v1/files" \\
  ${KEY} \\
  -d limit=10`,
    typescript: `for await (const file of atelier.files.iterate())
  console.log(file.id, file.contentType, file.bytes);`,
  },
  getFile: {
    curl: `curl "$ATELIER_URL/api/v1/files/$FILE_ID" \\
  ${KEY}`,
    typescript: `const file = await atelier.files.get(fileId);
console.log(file.contentType, file.width, file.height);`,
  },
  downloadFile: {
    curl: `curl "$ATELIER_URL/api/v1/files/$FILE_ID/content" \\
  ${KEY} \\
  -o image.png`,
    typescript: `const bytes = await (await atelier.files.download(fileId)).arrayBuffer();
console.log(bytes.byteLength);`,
  },
  getWallet: {
    curl: `curl "$ATELIER_URL/api/v1/wallet" \\
  ${KEY}`,
    typescript: `const { availableUsd, credentialCapUsd, credentialUsedUsd } = await atelier.getWallet();
console.log(availableUsd, credentialCapUsd, credentialUsedUsd);`,
  },
} as const satisfies Record<string, OperationExample>;
