import type { Source } from '../../protocol/canonical/request.ts'

/** What a model that sees is asked. How that is said to it is the pipeline's to know. */
export interface VisionQuestion {
  instructions: string
  text: string
  image: Source
}

/**
 * @returns what it said, and which model that was (`provider.model`). @throws OnwardError with a sentence for a person
 */
export type AskVision = (question: VisionQuestion, withinMs: number) => Promise<{ text: string; by: string }>

/** An image of a conversation that its model can't see. */
export interface UnseenImage {
  /** the same for the same picture */
  hash: string
  /** it belongs to what the model is to answer now */
  asked: boolean
  /** null: nothing that can be read */
  source(): Source | null
  /** what the person said with it; null: nothing */
  question(): string | null
}

/** What came of describing some images. */
export interface Described {
  /** by hash: what stands in the place of each */
  texts: ReadonlyMap<string, string>
  /** now, by a model */
  described: number
  by: readonly string[]
  /** of the history, left without a description from now on */
  leftOut: number
  failures: readonly { code: string; message: string }[]
}

/** Never rejects. `mayAsk` false: only what is known already, and the others go without. */
export type DescribeImages = (images: readonly UnseenImage[], mayAsk: boolean) => Promise<Described>
