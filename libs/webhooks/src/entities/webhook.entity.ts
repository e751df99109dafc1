import { Column, CreateDateColumn, Entity, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { WebhookProgress } from './webhook-progress.entity.js';

/** Which of the events that fit are sent: all, or only those that tell of something wrong. */
export type Severity = 'any' | 'wrong';

/** Where events are sent to, and which. */
@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  url!: string;

  /** Ids of clusters; null: all that there are and will be. */
  @Column('text', { array: true, nullable: true })
  clusters!: string[] | null;

  /** Whether entries of the server's audit are sent, too. */
  @Column('boolean')
  audit!: boolean;

  @Column('text', { array: true, nullable: true })
  types!: string[] | null;

  /** As the filter of events takes them; all of them have to be concerned. */
  @Column('text', { array: true, nullable: true })
  subjects!: string[] | null;

  @Column('text', { nullable: true })
  actor!: string | null;

  @Column('text')
  severity!: Severity;

  /** PEM of the authorities by which the receiver is verified, instead of the usual ones. */
  @Column('text', { nullable: true })
  authorities!: string | null;

  /** As `SecretBox` sealed it. */
  @Column('text')
  secret!: string;

  /** The one before it, with which is signed, too, for a while. */
  @Column('text', { name: 'previous_secret', nullable: true })
  previousSecret!: string | null;

  @Column('timestamptz', { name: 'previous_until', nullable: true })
  previousUntil!: Date | null;

  @Column('boolean')
  enabled!: boolean;

  /** Why the server disabled it; null where a person did, or nobody. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: string | null;

  @Column('text', { name: 'created_by' })
  createdBy!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  // By name: the two entities know each other.
  @OneToOne('WebhookProgress', 'webhook')
  progress?: Relation<WebhookProgress>;
}
