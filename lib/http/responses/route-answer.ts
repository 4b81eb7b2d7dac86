/** What a handler answers: JSON (an object, or written already), no body (`null`), or a response of its own (a file). */
export type RouteAnswer = { status?: number; body: unknown; headers?: Record<string, string> } | Response;
