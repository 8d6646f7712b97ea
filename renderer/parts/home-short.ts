/** A folder as people write it: their home as `~`. The page does not know the home, so it goes by the usual places. */
export function homeShort(path: string | null): string {
  return (path ?? '').replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Z]:\\Users\\[^\\]+)(?=$|[/\\])/, '~')
}
