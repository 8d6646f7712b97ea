/** Grey stand-ins, shown only when something takes longer than 150 ms. */
export const Skeleton = ({ width, thin }: { width: number | string; thin?: boolean }) => (
  <i className={`skel${thin ? ' thin' : ''}`} style={{ width }} />
)

export function SkeletonRows({
  label,
  rows,
}: {
  label: string
  rows: readonly (readonly [string, string] | 'head')[]
}) {
  return (
    <div className="late" role="status" aria-busy="true" aria-label={label}>
      {rows.map((row, i) =>
        row === 'head' ? (
          <div key={i} className="skel-head">
            <i className="skel" style={{ width: 72, height: 8 }} />
          </div>
        ) : (
          <div key={i} className="skel-row">
            <i className="skel dot-s" />
            <div>
              <Skeleton width={row[0]} />
              <Skeleton width={row[1]} thin />
            </div>
            <Skeleton width={44} />
          </div>
        ),
      )}
    </div>
  )
}
