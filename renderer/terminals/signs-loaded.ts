/** The face of symbols.css, by the name it has there. */
const face = 'Noto Sans Symbols 2'

/** Calls `then` when signs that were drawn as boxes until now have their face. @returns ends it */
export function onSignsLoaded(then: () => void, fonts: FontFaceSet = document.fonts): () => void {
  const ending = new AbortController()
  fonts.addEventListener(
    'loadingdone',
    ({ fontfaces }) => {
      if (fontfaces.some(({ family }) => family.replaceAll(/["']/g, '') === face)) then()
    },
    { signal: ending.signal },
  )
  return () => ending.abort()
}
