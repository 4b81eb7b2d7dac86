import type { Permission } from '#lib/core/actor.ts';

/**
 * Who may use an entry point: anyone, a signed-in person (whatever their account made of them), any active member, who holds the
 * permission, or no session at all (another credential opens it).
 */
export type Right = 'anyone' | 'person' | 'member' | Permission | 'no session';

function listed<Name extends string>(rights: Partial<Record<Right, readonly Name[]>>): Record<string, Right> {
  return Object.fromEntries(
    Object.entries(rights).flatMap(([right, names]) => names.map((name) => [name, right as Right])),
  );
}

export const ROUTES = listed({
  anyone: [
    'GET /.well-known/[...path]',
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-protected-resource/[[...path]]',
    'GET /api/[...path]',
    'POST /api/[...path]',
    'PUT /api/[...path]',
    'PATCH /api/[...path]',
    'DELETE /api/[...path]',
    'GET /api/dev/constant',
    'GET /api/health',
    'GET /api/ready',
    'GET /api/docs/[[...slug]]',
    'GET /api/openapi.json',
    'GET /api/v1/openapi.json',
    'GET /docs/sitemap.xml',
    'GET /llms-full.txt',
    'GET /llms.txt',
  ],
  member: [
    'GET /api/templates/[id]/example',
    'GET /api/brain/imports/[id]',
    'GET /api/brain/memories/[id]',
    'GET /api/brain/memories/[id]/revisions',
    'GET /api/brain/memories/[id]/revisions/[version]',
    'GET /api/brain/spaces/[id]/context',
    'GET /api/brain/spaces/[id]/export',
    'GET /api/wallet',
    'GET /api/wallet/statement',
  ],
  'brain.write': [
    'POST /api/brain/spaces/[id]/imports',
    'POST /api/brain/spaces/[id]/imports/direct',
    'PUT /api/brain/spaces/[id]/imports/direct',
  ],
  generate: [
    'POST /api/dev/generate',
    'GET /api/files/[...pathname]',
    'GET /api/generations',
    'POST /api/generations',
    'GET /api/generations/[id]',
    'GET /api/generations/[id]/captions',
    'POST /api/generations/[id]/relaunch',
    'POST /api/generations/preview',
    'POST /api/references/images',
    'POST /api/references/upload',
    'GET /api/templates',
    'POST /api/templates/[id]/check',
    'POST /api/templates/[id]/preview',
    'GET /api/voice-desk',
    'GET /api/voice-desk/preview/[voiceId]',
  ],
  'audit.read': ['GET /audit/export'],
  'members.manage': ['GET /api/exports/[id]'],
  'no session': [
    'GET /api/cron/generations-sweep',
    'GET /api/cron/retention',
    'GET /api/cron/webhooks',
    'GET /api/mcp',
    'POST /api/mcp',
    'PUT /api/mcp',
    'PATCH /api/mcp',
    'DELETE /api/mcp',
    'GET /api/oauth/authorize',
    'POST /api/oauth/consent',
    'POST /api/oauth/register',
    'POST /api/oauth/revoke',
    'POST /api/oauth/token',
    'GET /api/v1/files',
    'GET /api/v1/files/[id]',
    'GET /api/v1/files/[id]/content',
    'GET /api/v1/generations',
    'POST /api/v1/generations',
    'GET /api/v1/generations/[id]',
    'GET /api/v1/wallet',
    'GET /api/v1/memories/[id]',
    'GET /api/v1/projects',
    'GET /api/v1/quota',
    'GET /api/v1/memories/[id]',
    'GET /api/v1/search',
    'GET /api/v1/spaces',
    'GET /api/v1/spaces/[id]',
    'GET /api/v1/spaces/[id]/context',
    'POST /api/v1/spaces/[id]/memories',
    'POST /api/webhooks/render',
    'POST /api/webhooks/video/[generationId]',
  ],
});

const inFile = (file: string, ...names: string[]) => names.map((name) => `app/${file} ${name}`);
const studio = (part: string, ...names: string[]) => inFile(`_studio/${part}/actions.ts`, ...names);
const cockpit = (folder: string, ...names: string[]) => inFile(`(cockpit)/${folder}/actions.ts`, ...names);

export const ACTIONS = listed({
  anyone: [
    ...inFile('(public)/connexion/actions.ts', 'askForCode', 'enterCode', 'changeAddress'),
    ...inFile('(public)/connexion/actions.ts', 'passkeyOptions', 'signInByPasskey'),
    ...inFile('apercu/actions.ts', 'demonstrationSave', 'demonstrationSignOut', 'demonstrationSwitch'),
  ],
  person: inFile('(public)/invitations/actions.ts', 'accept', 'decline'),
  // Leads to the sign-in page whoever asks.
  'no session': inFile('_cockpit/sign-out.ts', 'signOut'),
  member: [
    ...cockpit('applications', 'disconnectApplication', 'changeApplicationCap'),
    ...cockpit('compte', 'saveProfile', 'closeSession', 'signOutEverywhere'),
    ...cockpit('compte', 'startPasskey', 'keepPasskey', 'deletePasskey'),
    ...cockpit('developpeurs', 'newKey', 'replaceKey', 'changeKeyCap', 'endKey'),
    ...cockpit('developpeurs/evenements', 'newEndpoint', 'changeEvents', 'replaceSecret', 'tryEndpoint'),
    ...cockpit('developpeurs/evenements', 'setEnabled', 'removeEndpoint', 'replayOne', 'replayFailed'),
    ...inFile('_cockpit/switch-account.ts', 'switchAccount'),
    ...inFile('_cockpit/verification/actions.ts', 'mailCode', 'proveByCode'),
    ...inFile('_cockpit/verification/actions.ts', 'passkeyProofOptions', 'proveByPasskey'),
  ],
  'brain.write': [
    ...cockpit('espaces', 'createSpace', 'changeSpace', 'setArchived'),
    ...cockpit('espaces/[id]', 'addMemory', 'previewParts', 'saveMemory', 'moveMemory', 'deleteMemory'),
    ...cockpit('espaces/[id]', 'undoDelete', 'restoreRevision', 'importPage'),
    ...cockpit('corbeille', 'restoreDeletion', 'restoreBin'),
    ...cockpit('propositions', 'accept', 'acceptEdited', 'refuse'),
    ...cockpit('projets', 'addProject', 'changeProject'),
  ],
  generate: [
    ...cockpit('avatars', 'deleteAvatarAction'),
    ...studio('composer/fields', 'sendImage', 'sendDocument', 'clipTarget', 'confirmClip'),
    ...cockpit('envois', 'deleteUploadAction'),
    ...studio('journal', 'readRetention', 'reviewFile', 'saveAvatarAction', 'attachFile', 'detachFile'),
    ...studio('journal', 'noteLesson', 'deleteLessonAction', 'deleteRender'),
    ...cockpit('produits', 'keepRush', 'deleteConceptAction', 'deleteLessonAction', 'releaseRush'),
  ],
  'members.manage': [
    ...cockpit('equipe', 'invite', 'resend', 'remove', 'erase', 'changeMember', 'suspend', 'unblock'),
    ...cockpit('equipe', 'reactivate'),
    ...cockpit('equipe/compte', 'exportAccount', 'closeAccount', 'reopenAccount'),
  ],
  'ledger.grant': cockpit('portefeuille', 'giveCredit', 'changeCaps', 'askForCredit'),
  'service.operate': cockpit(
    'exploitation',
    'sweepNow',
    'debitRest',
    'giveAccountCredit',
    'setAccountLimits',
    'takeCreditBack',
    'closeTenant',
    'reopenTenant',
  ),
  'storage.purge': [...cockpit('corbeille', 'eraseDeletion'), ...cockpit('produits', 'purgeProduct')],
});

export const PAGES = listed({
  person: ['(public)/invitations/page.tsx'],
  anyone: [
    '(public)/boite-envoi/page.tsx',
    '(public)/connexion/page.tsx',
    '(public)/docs/[[...slug]]/page.tsx',
    'apercu/page.tsx',
    // Leads to the cockpit, which asks.
    'page.tsx',
  ],
  member: [
    '(public)/oauth/consentement/page.tsx',
    '(cockpit)/applications/page.tsx',
    '(cockpit)/applications/connecter/page.tsx',
    '(cockpit)/compte/page.tsx',
    '(cockpit)/contexte/page.tsx',
    '(cockpit)/corbeille/page.tsx',
    '(cockpit)/developpeurs/page.tsx',
    '(cockpit)/developpeurs/evenements/page.tsx',
    '(cockpit)/developpeurs/evenements/[id]/page.tsx',
    '(cockpit)/espaces/page.tsx',
    '(cockpit)/espaces/[id]/page.tsx',
    '(cockpit)/modeles/page.tsx',
    '(cockpit)/portefeuille/page.tsx',
    '(cockpit)/produits/page.tsx',
    '(cockpit)/propositions/page.tsx',
    '(cockpit)/projets/page.tsx',
    '(cockpit)/recherche/page.tsx',
  ],
  generate: [
    '(cockpit)/avatars/page.tsx',
    '(cockpit)/creer/page.tsx',
    '(cockpit)/envois/page.tsx',
    '(cockpit)/journal/page.tsx',
    '(cockpit)/journal/[id]/page.tsx',
    '(cockpit)/modeles/[id]/page.tsx',
    '(cockpit)/voix/page.tsx',
  ],
  'audit.read': ['(cockpit)/audit/page.tsx'],
  'ledger.grant': ['(cockpit)/portefeuille/equipe/page.tsx'],
  'members.manage': ['(cockpit)/equipe/page.tsx', '(cockpit)/equipe/compte/page.tsx'],
  'operations.read': ['(cockpit)/exploitation/page.tsx'],
});
