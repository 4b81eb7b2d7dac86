import { GRANTABLE_PERMISSIONS, type Permission } from '#lib/core/actor.ts';
import type { Problem } from '#lib/core/errors.ts';
import { nameProblem } from './name-problem.ts';

/** The problems of a member's name and rights, one per field; empty when both are valid. */
export function memberProblems(input: { name: string; permissions: readonly Permission[] }): Problem[] {
  const problems: Problem[] = [];
  const nameFault = nameProblem(input.name);
  if (nameFault) problems.push({ field: 'name', message: nameFault });
  if (input.permissions.some((permission) => !GRANTABLE_PERMISSIONS.includes(permission)))
    problems.push({
      field: 'permissions',
      message: `Les droits possibles sont ${GRANTABLE_PERMISSIONS.join(', ')}.`,
    });
  return problems;
}
