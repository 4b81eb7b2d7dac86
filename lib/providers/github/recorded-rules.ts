import type { RefusalRule } from '../fixtures/refusal-rule.ts';

type Body = { ref?: unknown; inputs?: Record<string, unknown> };

const SOURCE = '[S] docs.github.com, workflow_dispatch';

/** What GitHub refuses of a dispatch; as recalled. */
export const GITHUB_REFUSALS: readonly RefusalRule<Body>[] = [
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
];
