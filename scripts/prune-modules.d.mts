export declare const UNUSED: readonly string[];
/** Deletes what is unused below a node_modules folder. Returns the places that it deleted. */
export declare function pruneModules(modules: string): string[];
