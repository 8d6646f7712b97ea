/** Something started that its owner must stop. Disposing twice does nothing. */
export interface Disposable {
  dispose(): void
}

/** Collects what was started and stops it in reverse order. */
export function disposables(): { add<T extends Disposable>(d: T): T; dispose(): void } {
  const held: Disposable[] = []
  return {
    add(d) {
      held.push(d)
      return d
    },
    dispose() {
      for (let d = held.pop(); d; d = held.pop()) d.dispose()
    },
  }
}
