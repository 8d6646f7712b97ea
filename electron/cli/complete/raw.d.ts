/** Vite: a file as a text. */
declare module '*?raw' {
  const text: string
  export default text
}
