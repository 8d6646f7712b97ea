/**
 * Prints a last sentence and ends, even where printing fails: an app without a window must not stay.
 */
export async function lastWords(say: () => Promise<void>, end: () => void): Promise<void> {
  try {
    await say()
  } catch (error) {
    process.stderr.write(`onward: a dialog could not be shown: ${error instanceof Error ? error.message : error}\n`)
  } finally {
    end()
  }
}
