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

/** Announces that something changed. Listeners are called in order; one that throws does not stop the others. */
export interface Emitter<T> {
  on(listener: (value: T) => void): Disposable
  emit(value: T): void
  readonly size: number
}

/** The public side of an emitter: others may listen, only the owner emits. */
export type Event<T> = Emitter<T>['on']

export function emitter<T>(onError: (error: unknown) => void): Emitter<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    get size() {
      return listeners.size
    },
    on(listener) {
      listeners.add(listener)
      return {
        dispose: () => {
          listeners.delete(listener)
        },
      }
    },
    emit(value) {
      for (const listener of Array.from(listeners)) {
        try {
          listener(value)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
