/**
 * Where the control API listens. Apart from the router, which pages import only as a type: it brings server code along.
 */
export const controlPath = '/control'
