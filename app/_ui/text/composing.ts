/**
 * Whether a key event belongs to an input method: the Enter that ends a composition must do nothing else. Safari sends that event after the
 * composition, with key code 229.
 */
export const isComposing = (key: { isComposing: boolean; keyCode: number }): boolean =>
  key.isComposing || key.keyCode === 229;
