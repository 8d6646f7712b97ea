/** What the bench starts in a process of its own. */
export { createNodeHost } from '../../electron/hosts/node-host.ts'
export { startEngine } from '../../electron/engine/engine.ts'
