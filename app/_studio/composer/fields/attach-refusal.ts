/** A refusal to show on the reference itself. */
export class AttachRefusal extends Error {}
