import { hasOther, isOutside, type RefusalRule } from '../fixtures/refusal-rule.ts';

type Body = { ref?: unknown; inputs?: Record<string, unknown> };

const SOURCE = '[S] docs.github.com, workflow_dispatch';
/** Versions of the API that it serves. */
const VERSIONS = ['2022-11-28', '2026-03-10'];
const FIELDS = ['ref', 'inputs', 'return_run_details'];

/** What `.github/workflows/atelier-render.yml` declares. */
export const WORKFLOW_INPUTS = {
  required: [
    'generation_id',
    'template',
    'size',
    'fields',
    'brand',
    'images',
    'folder',
    'uploads',
    'callback_url',
  ],
  optional: ['store_api_url'],
} as const;
const DECLARED: readonly string[] = [...WORKFLOW_INPUTS.required, ...WORKFLOW_INPUTS.optional];

/** What GitHub refuses of a dispatch; as recalled. */
export const GITHUB_REFUSALS: readonly RefusalRule<Body>[] = [
  {
    id: 'actions-key',
    route: 'repos',
    method: 'any',
    models: [],
    refuses: (_, { headers }) => !/^(?:Bearer|token) \S+$/i.test(headers.get('authorization') ?? ''),
    status: 401,
    says: 'Bad credentials',
    source: '[S] docs.github.com, authenticating to the REST API; as recalled',
  },
  {
    id: 'actions-user-agent',
    route: 'repos',
    method: 'any',
    models: [],
    refuses: (_, { headers }) => !headers.get('user-agent'),
    status: 403,
    says: 'Please make sure your request has a User-Agent header',
    source:
      '[S] docs.github.com, getting started with the REST API (“no User-Agent header will be rejected”)',
  },
  {
    id: 'actions-version',
    route: 'repos',
    method: 'any',
    models: [],
    refuses: (_, { headers }) => isOutside(headers.get('x-github-api-version') ?? undefined, VERSIONS),
    status: 400,
    says: 'API version is not supported',
    source: '[T] QLHazyCoder/copilot-api#5 (another version is a 400); the list of versions as recalled',
  },
  {
    id: 'actions-fields',
    route: 'dispatches',
    models: [],
    refuses: (body) => hasOther(body, FIELDS),
    status: 422,
    says: 'is not a permitted key.',
    source: '[T] benc-uk/workflow-dispatch#86 (a server that does not know a key); the status is inferred',
  },
  {
    id: 'actions-ref',
    route: 'dispatches',
    models: [],
    refuses: ({ ref }) => typeof ref !== 'string' || ref === '',
    status: 422,
    says: 'ref is required',
    source: `${SOURCE} (create a dispatch event); as recalled, the status is inferred`,
  },
  {
    id: 'actions-inputs',
    route: 'dispatches',
    models: [],
    refuses: ({ inputs = {} }) => Object.keys(inputs).length > 25,
    status: 422,
    says: 'at most 25 inputs',
    source: `${SOURCE} (25 inputs at most); as recalled, the status is inferred`,
  },
  {
    id: 'actions-inputs-size',
    route: 'dispatches',
    models: [],
    refuses: ({ inputs = {} }) => JSON.stringify(inputs).length > 65_535,
    status: 422,
    says: 'inputs are too large',
    source: `${SOURCE} (65,535 characters in all); as recalled, the status is inferred`,
  },
  {
    id: 'actions-input-names',
    route: 'dispatches',
    models: [],
    refuses: ({ inputs }) => hasOther(inputs, DECLARED),
    status: 422,
    says: 'Unexpected inputs provided',
    source: '[T] Codex-/return-dispatch#188, benc-uk/workflow-dispatch#80; the status is inferred',
  },
  {
    id: 'actions-inputs-required',
    route: 'dispatches',
    models: [],
    refuses: ({ inputs = {} }) => WORKFLOW_INPUTS.required.some((name) => !inputs[name]),
    status: 422,
    says: 'Required input not provided',
    source: `${SOURCE} (\`required\` of an input); as recalled, the status is inferred`,
  },
];
