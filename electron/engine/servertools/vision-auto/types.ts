import type { Source } from '../../protocol/canonical/request.ts'

/** A question for a model that can see images. The pipeline knows how to put it to the model. */
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
  /** null: it can't be read */
  source(): Source | null
  /** what the person said with it; null: nothing */
  question(): string | null
}

/** The result of describing some images. */
export interface Described {
  /** by hash: the text in place of each image */
  texts: ReadonlyMap<string, string>
  /** now, by a model */
  described: number
  by: readonly string[]
  /** of the history, left without a description from now on */
  leftOut: number
  failures: readonly { code: string; message: string }[]
}

/** Never rejects. `mayAsk` false: uses known descriptions only, and the other images have none. */
export type DescribeImages = (images: readonly UnseenImage[], mayAsk: boolean) => Promise<Described>
