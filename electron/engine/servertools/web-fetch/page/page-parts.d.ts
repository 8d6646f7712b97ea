/** domino comes without types under its present name. */
declare module '@mixmark-io/domino' {
  const domino: { createDocument(html: string, address?: string): Document }
  export default domino
}
