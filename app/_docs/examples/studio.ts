import type { OperationExample } from './types.ts';

const SESSION = '-b "$ATELIER_SESSION"';
const JSON_BODY = '-H "Content-Type: application/json"';
const QUOTE = `{"quote": "La lumière se fabrique lentement.", "author": "Agnès"}`;

/** Around the generations: references, files, layouts, voices, wallet and exports, with a member's session. */
export const STUDIO_EXAMPLES = {
  uploadImage: {
    curl: `curl "$ATELIER_URL/api/references/images?productId=libre" \\
  ${SESSION} \\
  -H "Content-Type: image/png" \\
  --data-binary @photo.png`,
    typescript: `const reference = await atelier.studio.uploadImage(photo, {
  contentType: 'image/png',
  productId: 'libre',
});
console.log(reference);`,
  },
  uploadReference: {
    curl: `curl "$ATELIER_URL/api/references/upload" \\
  ${SESSION} \\
  ${JSON_BODY} \\
  -d "{\\"type\\": \\"blob.generate-client-token\\", \\"payload\\": {\\"pathname\\": \\"$UPLOAD_PATH\\", \\"multipart\\": false, \\"clientPayload\\": \\"{\\\\\\"productId\\\\\\":\\\\\\"libre\\\\\\"}\\"}}"`,
    typescript: `const ticket = await atelier.studio.uploadReference({
  type: 'blob.generate-client-token',
  payload: { pathname: uploadPath, multipart: false, clientPayload: '{"productId":"libre"}' },
});
console.log(ticket);`,
  },
  readFile: {
    curl: `curl "$ATELIER_URL/api/files/$FILE_PATH" \\
  ${SESSION} \\
  -o image.png`,
    typescript: `const file = await atelier.studio.readFile(filePath);
const bytes = new Uint8Array(await file.arrayBuffer());
console.log(file.headers.get('content-type'), bytes.length);`,
  },
  listTemplates: {
    curl: `curl "$ATELIER_URL/api/templates" \\
  ${SESSION}`,
    typescript: `const { data: templates } = await atelier.studio.listTemplates();
for (const template of templates) console.log(template.id, template.name);`,
  },
  drawTemplateExample: {
    curl: `curl "$ATELIER_URL/api/templates/quote-card/example" \\
  ${SESSION} \\
  -o exemple.png`,
    typescript: `const example = await atelier.studio.drawTemplateExample('quote-card');
console.log(example.headers.get('content-type'));`,
  },
  checkTemplate: {
    curl: `curl "$ATELIER_URL/api/templates/quote-card/check" \\
  ${SESSION} \\
  ${JSON_BODY} \\
  -d '{"productId": "libre", "fields": ${QUOTE}}'`,
    typescript: `const check = await atelier.studio.checkTemplate('quote-card', {
  productId: 'libre',
  fields: { quote: 'La lumière se fabrique lentement.', author: 'Agnès' },
});
console.log(check);`,
  },
  drawTemplatePreview: {
    curl: `curl "$ATELIER_URL/api/templates/quote-card/preview" \\
  ${SESSION} \\
  ${JSON_BODY} \\
  -d '{"productId": "libre", "size": "1080x1080", "page": 0, "fields": ${QUOTE}}' \\
  -o apercu.png`,
    typescript: `const drawn = await atelier.studio.drawTemplatePreview('quote-card', {
  productId: 'libre',
  size: '1080x1080',
  page: 0,
  fields: { quote: 'La lumière se fabrique lentement.', author: 'Agnès' },
});
console.log(drawn.headers.get('content-type'));`,
  },
  readVoiceDesk: {
    curl: `curl "$ATELIER_URL/api/voice-desk" \\
  ${SESSION}`,
    typescript: `const { voices } = await atelier.studio.readVoiceDesk();
for (const voice of voices) console.log(voice.id, voice.name);`,
  },
  readVoicePreview: {
    curl: `curl "$ATELIER_URL/api/voice-desk/preview/$VOICE_ID" \\
  ${SESSION} \\
  -o voix.mp3`,
    typescript: `const sample = await atelier.studio.readVoicePreview(voiceId);
console.log(sample.headers.get('content-type'));`,
  },
  readWallet: {
    curl: `curl "$ATELIER_URL/api/wallet" \\
  ${SESSION}`,
    typescript: `const { balanceUsd } = await atelier.studio.readWallet();
console.log(balanceUsd);`,
  },
  exportStatement: {
    curl: `curl "$ATELIER_URL/api/wallet/statement" \\
  ${SESSION} \\
  -o releve.csv`,
    typescript: `const statement = await atelier.studio.exportStatement();
console.log(await statement.text());`,
  },
  exportSpace: {
    curl: `curl "$ATELIER_URL/api/brain/spaces/$SPACE_ID/export?format=markdown" \\
  ${SESSION} \\
  -o espace.zip`,
    typescript: `const archive = await atelier.studio.exportSpace(spaceId, { format: 'json' });
console.log(await archive.json());`,
  },
  exportAudit: {
    curl: `curl "$ATELIER_URL/audit/export?format=csv" \\
  ${SESSION} \\
  -o audit.csv`,
    typescript: `const audit = await atelier.studio.exportAudit({ format: 'json' });
console.log(await audit.json());`,
  },
  readAccountExport: {
    curl: `curl "$ATELIER_URL/api/exports/$EXPORT_ID" \\
  ${SESSION} \\
  -o compte.zip`,
    typescript: `const whole = await atelier.studio.readAccountExport(exportId);
console.log(whole.headers.get('content-length'));`,
  },
} as const satisfies Record<string, OperationExample>;
