"""What runs on the driver: Spark, Delta and MLflow; one file a job, and the command line."""
