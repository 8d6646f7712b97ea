/**
 * Says something as the last thing, and ends, whether it could be said or not: an app without a window must not stay.
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
