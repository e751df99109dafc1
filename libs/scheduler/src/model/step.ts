/**
 * A computation that may call others of its kind without using the machine's stack: `yield` a step to run it and get its result. Placement is
 * recursive along chains of colocations, whose length a configuration decides.
 */
export type Step<T> = Generator<Step<unknown>, T, unknown>;

/** Runs a step to its end. */
export function runStep<T>(step: Step<T>): T {
  const stack: Step<unknown>[] = [step];
  let value: unknown;
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const { done, value: next } = top.next(value);
    if (done) {
      stack.pop();
      value = next;
    } else {
      stack.push(next);
      value = undefined;
    }
  }
  return value as T;
}
