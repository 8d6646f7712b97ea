/** The platform's `fetch` with headers that an SDK would not send by itself: a session's id, a client's name. */
export const fetchWith =
  (more: Readonly<Record<string, string>>): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    for (const [name, value] of Object.entries(more)) headers.set(name, value)
    return fetch(input, { ...init, headers })
  }
