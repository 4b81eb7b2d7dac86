/**
 * Whether a key belongs to an input method: « Entrée » that ends a composition asks for nothing else. Safari tells of it once the composition
 * is over, by the code that input methods have (229).
 */
export const isComposing = (key: { isComposing: boolean; keyCode: number }): boolean =>
  key.isComposing || key.keyCode === 229;
