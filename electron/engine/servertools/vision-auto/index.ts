export type { AskVision, Look, Looked, UnseenImage, VisionQuestion } from './types.ts'
export { createVisionAuto, type VisionAutoDeps } from './vision-auto.ts'
