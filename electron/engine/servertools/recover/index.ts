export { createRecover, type Recover } from './recover.ts'
