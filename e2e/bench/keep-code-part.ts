/** Loaded before the engine, whose code it keeps: `start-block.mjs`. */
export { keepCompiledCode } from '../../electron/compiled-code.ts'
