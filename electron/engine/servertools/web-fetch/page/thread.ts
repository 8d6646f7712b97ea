/**
 * A program for a thread: reads one page and ends. A page's author decides how long parsing takes and how much memory,
 * and neither may be the engine's.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { readPageHere } from './read-page-here.ts'
import type { PageAsk } from './types.ts'

// Only page-reader.ts starts this.
parentPort?.postMessage(readPageHere(workerData as PageAsk))
