/** When a look at the tables was taken, ms by this process's monotonic clock: what it shows was so at some moment between the two. */
export interface Look {
  readonly asked: number;
  readonly answered: number;
}
