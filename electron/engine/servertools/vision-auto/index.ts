export type { AskVision, DescribeImages, Described, UnseenImage, VisionQuestion } from './types.ts'
export { createVisionAuto, type VisionAutoDeps } from './vision-auto.ts'
