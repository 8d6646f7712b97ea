/**
 * What a connection to the engine is made of: loaded with the first one, for most of what a command may say needs none.
 */
export { createTRPCClient, createWSClient, TRPCClientError, wsLink } from '@trpc/client'
export { socketAt } from '../engine/base/own-socket.ts'
