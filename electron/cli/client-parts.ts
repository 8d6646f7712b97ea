/**
 * The parts of a connection to the engine: loaded with the first one, because most of what a command may say needs
 * none.
 */
export { createTRPCClient, createWSClient, TRPCClientError, wsLink } from '@trpc/client'
export { socketAt } from '../engine/base/network/own-socket.ts'
