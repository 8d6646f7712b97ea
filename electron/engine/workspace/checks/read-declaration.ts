import type { Confines } from '../confine.ts'
import { readToShow } from '../open-inside.ts'
import { declarationFile, nothingDeclared, readDeclaration, type Declaration } from './declaration.ts'

const MOST_BYTES = 256 * 1024

/** Reads a folder's declaration as it is now. Never rejects: a file that can't be read is a `problem`. */
export async function declarationOf(confines: Confines): Promise<Declaration> {
  const file = await readToShow(confines, declarationFile, MOST_BYTES)
  if (!file.ok) return file.say === 'no such file' ? nothingDeclared : broken(file.text)
  if (file.size > MOST_BYTES) return broken(`${declarationFile} is larger than 256 KiB.`)
  try {
    return readDeclaration(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.bytes))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return broken(`${declarationFile} is not UTF-8 text.`)
  }
}

const broken = (problem: string): Declaration => ({ checks: [], problem })
