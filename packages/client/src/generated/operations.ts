// Written from the OpenAPI documents by `npm run client`.

export const OPERATIONS = {
  listSpaces: {"method":"GET","path":"/api/v1/spaces","credential":"token","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  getSpace: {"method":"GET","path":"/api/v1/spaces/{id}","credential":"token","answers":"application/json","isConditional":true,"takesIdempotencyKey":false,"makesFile":false},
  addMemory: {"method":"POST","path":"/api/v1/spaces/{id}/memories","credential":"token","answers":"application/json","isConditional":false,"takesIdempotencyKey":true,"makesFile":false},
  getContext: {"method":"GET","path":"/api/v1/spaces/{id}/context","credential":"token","answers":"application/json","isConditional":true,"takesIdempotencyKey":false,"makesFile":false},
  getMemory: {"method":"GET","path":"/api/v1/memories/{id}","credential":"token","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  search: {"method":"GET","path":"/api/v1/search","credential":"token","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  getQuota: {"method":"GET","path":"/api/v1/quota","credential":"token","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  listProjects: {"method":"GET","path":"/api/v1/projects","credential":"token","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  listGenerations: {"method":"GET","path":"/api/generations","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  createGeneration: {"method":"POST","path":"/api/generations","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":true,"makesFile":true},
  previewGeneration: {"method":"POST","path":"/api/generations/preview","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  getGeneration: {"method":"GET","path":"/api/generations/{id}","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  relaunchGeneration: {"method":"POST","path":"/api/generations/{id}/relaunch","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":true,"makesFile":true},
  readCaptions: {"method":"GET","path":"/api/generations/{id}/captions","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  uploadImage: {"method":"POST","path":"/api/references/images","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  uploadReference: {"method":"POST","path":"/api/references/upload","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  readFile: {"method":"GET","path":"/api/files/{pathname}","credential":"session","answers":"*/*","isConditional":true,"takesIdempotencyKey":false,"makesFile":false},
  listTemplates: {"method":"GET","path":"/api/templates","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  drawTemplateExample: {"method":"GET","path":"/api/templates/{id}/example","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  checkTemplate: {"method":"POST","path":"/api/templates/{id}/check","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  drawTemplatePreview: {"method":"POST","path":"/api/templates/{id}/preview","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  readVoiceDesk: {"method":"GET","path":"/api/voice-desk","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  readVoicePreview: {"method":"GET","path":"/api/voice-desk/preview/{voiceId}","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  readWallet: {"method":"GET","path":"/api/wallet","credential":"session","answers":"application/json","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  exportStatement: {"method":"GET","path":"/api/wallet/statement","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  exportSpace: {"method":"GET","path":"/api/brain/spaces/{id}/export","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  exportAudit: {"method":"GET","path":"/audit/export","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
  readAccountExport: {"method":"GET","path":"/api/exports/{id}","credential":"session","answers":"*/*","isConditional":false,"takesIdempotencyKey":false,"makesFile":false},
} as const;

export type OperationId = keyof typeof OPERATIONS;
