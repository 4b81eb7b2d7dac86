import { type Problem, ServiceError } from '#lib/core/errors.ts';
import type { StudioContext } from '../context.ts';
import type { Params } from '../generation/params.ts';

/** Throws `invalid` with `detail` when there is a problem. */
export function refuseInvalid(detail: string, problems: Problem[]): void {
  if (problems.length > 0)
    throw new ServiceError('invalid', { detail, problems, message: problems[0]?.message ?? detail });
}

/** Problem when `value` is not among what the model offers; none when the model has no such setting and none was asked. */
export function choiceProblem(
  field: string,
  value: string | number | undefined,
  offered: readonly (string | number)[] | undefined,
): Problem[] {
  if (value === undefined) return [];
  if (!offered) return [{ field, message: 'Ce modèle n’a pas ce réglage.' }];
  if (offered.includes(value)) return [];
  return [{ field, message: `Valeurs possibles\u00a0: ${offered.join(', ')}.` }];
}

/** The maker in a model's name: `google/veo-3.1` → `google`. */
function engineOf(modelId: string): string {
  return modelId.split('/')[0] ?? modelId;
}

/** What a row of the gateway's says of its request, whatever its kind: what was asked, of whom, at which price, live or recorded. */
export function gatewayParams(
  ctx: StudioContext,
  request: { brief: string; spaceId?: string | undefined },
  model: { case: string; modelId: string; pricing: Params['pricing'] },
): Params {
  return {
    brief: request.brief,
    case: model.case,
    engine: engineOf(model.modelId),
    pricing: model.pricing,
    mode: ctx.studio.providers.modes.gateway,
    request: keepRequest(request),
    ...(request.spaceId ? { spaceId: request.spaceId } : {}),
  };
}

/** A request as kept on the row, so that it can be asked again. */
export function keepRequest(request: object): NonNullable<Params['request']> {
  const {
    system: _system,
    rules: _rules,
    connectors: _connectors,
    ...kept
  } = request as Record<string, unknown>;
  return JSON.parse(JSON.stringify(kept)) as Record<string, unknown>;
}
